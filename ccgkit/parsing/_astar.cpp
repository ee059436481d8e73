// A* search over supertags: the same search as in astar.py, compiled. Only the limited C API is used, so
// that one build serves every Python from 3.11 on. What is known of one category comes from the Python rulebook;
// pairs of categories are combined here.

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "_grammar.hpp"

namespace {

using ccgkit::Categories;
using ccgkit::Category;
using ccgkit::kBackward;
using ccgkit::kForward;
using ccgkit::kNone;
using ccgkit::Node;
using ccgkit::Slash;
using ccgkit::Table;

constexpr int kLeaf = -1, kGoal = -2;  // in place of a rule
constexpr int kMaxChain = 3;           // unary steps over one another
constexpr double kSmallestCrowd = 2;   // constituents of the same words that there may always be
constexpr int kClock = 1024;           // items between two looks at the clock
constexpr double kImpossible = 1e4;    // the cost of a supertag with probability 0, in nats
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMaxWords = 1023;        // what a chart key has room for
constexpr size_t kMaxPairs = 1u << 22; // the rule table starts anew beyond that

constexpr double kBucketsANat = 8;     // of the agenda, by what an item costs with all that has to follow
constexpr int kBuckets = 1024;         // the last one has all that costs more

constexpr double kFirstReach = 1; // nats beyond the best derivation that are searched for others at first
constexpr double kRounding = 1e-9;

constexpr size_t kLarge = 1u << 20;    // items whose memory is not kept for the next sentence

constexpr int kRelations = 3;
constexpr int kCluster = kRelations;   // in place of a relation: neither depends on the other, but on what comes

struct PythonError {}; // thrown where Python has an error set

struct Step {
  int32_t category;
  int16_t rule;
  int8_t head, relation;
  double cost;
};

struct Range {
  uint32_t first = 0, count = 0;
  bool known = false;
};

struct Place {
  int16_t start, end, head, rule;
};

struct Traits {
  uint8_t side, kind, conjunct, chain;
};

// What a rule makes, or a leaf. It is built where it stays, from values in registers: to copy what was just written
// part by part stalls.
struct Edge : Place, Traits {
  int32_t category;
  double cost;
  int32_t left, right;

  Edge(double cost, int32_t category, int32_t left, int32_t right, Place place, Traits traits)
      : Place(place), Traits(traits), category(category), cost(cost), left(left), right(right) {}
};

// An edge in the chart.
struct Item : Edge {
  uint32_t next[2] = {0, 0}; // in the group of where it starts, and of where it ends; 0: none

  Item(const Edge &edge) : Edge(edge) {}
  using Edge::Edge;
};

struct Entry {
  double cost;
  int32_t length;
  uint32_t item;
  bool operator<(const Entry &other) const { // the heap's top is the greatest
    if (cost != other.cost) return cost > other.cost;
    if (length != other.length) return length < other.length;
    return item > other.item;
  }
};

struct Cell {
  double cheapest = std::numeric_limits<double>::infinity();
  uint32_t finished = 0; // the number of the item that was, and one more; 0: none
};

// One of the cheapest derivations of a constituent: an item that makes it, and which derivations its parts have. Those
// with the same reading seem to say the same of who depends on whom.
struct Choice {
  double cost;
  uint32_t item;
  uint32_t left, right;
  uint64_t reading;
  bool operator<(const Choice &other) const { // the heap's top is the greatest
    return std::tie(other.cost, other.item, other.left, other.right) < std::tie(cost, item, left, right);
  }
};

// The keys of a category as 128 bits: where they do not meet, categories do not combine.
struct Signature {
  uint64_t low = 0, high = 0;
  bool meets(const Signature &other) const { return (low & other.low) | (high & other.high); }
};

// Finished items of one category at one place, linked in the order in which they came, and what the category
// looks for on the side where others begin.
struct Group {
  int32_t category;
  uint32_t first, last;
  uint8_t conjunct;
  Signature keys;
};

// What a scheme says of pairs, as `Rulebook.tables` has it.
struct Scheme {
  std::vector<std::string> symbols; // of the rules, by their numbers
  std::vector<int> rules;           // those admitted, in order
  int degree = 0;
  std::string coordination;
  bool loose = false;
  std::vector<std::vector<Category>> binary; // what each of the binary changes makes

  int number(const std::string &symbol) const {
    return int(std::find(symbols.begin(), symbols.end(), symbol) - symbols.begin());
  }

  bool admits(int rule) const { return std::find(rules.begin(), rules.end(), rule) != rules.end(); }
};

// What Python says of one category, once.
struct Description {
  bool known = false, heads = false, conjunct = false, mark = false, conjunction = false, changes_right = false;
  double ending = 0;
  uint64_t lefts = 0, rights = 0; // binary changes that take it on the left, on the right
  Range changes;
  Signature left, right;
};

// Python's objects, which are owned.
struct Python {
  PyObject *book = nullptr, *functor = nullptr, *forward = nullptr, *backward = nullptr, *numbers = nullptr;
  std::vector<PyObject *> categories; // by number; null where none was asked for
  Table<Category> known{256};         // numbers + 1 by the addresses of categories that `numbers` keeps alive
};

PyObject *checked(PyObject *object) {
  if (object == nullptr) throw PythonError();
  return object;
}

// A slot of a class, read and written by its descriptor: to have Python look that up each time takes longer than
// the rest. Objects of other classes are asked by name.
class Field {
public:
  Field() = default;
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;

  ~Field() {
    Py_XDECREF(name_);
    Py_XDECREF(type_);
    Py_XDECREF(descriptor_);
  }

  void find(PyObject *type, const char *name) {
    name_ = checked(PyUnicode_InternFromString(name));
    Py_INCREF(type);
    type_ = type;
    descriptor_ = checked(PyObject_GetAttr(type, name_));
    get_ = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(descriptor_), Py_tp_descr_get));
    set_ = reinterpret_cast<descrsetfunc>(PyType_GetSlot(Py_TYPE(descriptor_), Py_tp_descr_set));
  }

  PyObject *get(PyObject *object) const {
    if (get_ == nullptr || reinterpret_cast<PyObject *>(Py_TYPE(object)) != type_)
      return PyObject_GetAttr(object, name_);
    return get_(descriptor_, object, type_);
  }

  // Frozen classes refuse setattr; as their own __init__ does, this goes past it.
  int set(PyObject *object, PyObject *value) const {
    return set_ == nullptr ? PyObject_GenericSetAttr(object, name_, value) : set_(descriptor_, object, value);
  }

private:
  PyObject *name_ = nullptr, *type_ = nullptr, *descriptor_ = nullptr;
  descrgetfunc get_ = nullptr;
  descrsetfunc set_ = nullptr;
};

// An owned reference.
class Owned {
public:
  explicit Owned(PyObject *object) : object_(checked(object)) {}
  ~Owned() { Py_DECREF(object_); }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  operator PyObject *() const { return object_; }

private:
  PyObject *object_;
};

std::string text_of(PyObject *text) {
  Py_ssize_t length;
  const char *characters = PyUnicode_AsUTF8AndSize(text, &length);
  if (characters == nullptr) throw PythonError();
  return std::string(characters, size_t(length));
}

// What the words outside a constituent, and its own head, cost at least by the heads that are left to them: every
// word but one depends on another.
class Estimate {
public:
  void fit(int size, double distance, const double *links, const std::vector<bool> &marks) {
    size_ = size;
    const size_t row = size_t(size) + 1;
    before_.assign(size_t(size) * row, kInfinity);
    after_.assign(size_t(size) * row, kInfinity);
    outside_before_.assign(row, 0);
    outside_after_.assign(row, 0);
    for (int word = 0; word < size; word++) {
      double *before = &before_[size_t(word) * row], *after = &after_[size_t(word) * row];
      const double *charged = links + size_t(word) * row * kRelations;
      const double each = marks[size_t(word)] ? 0 : distance;
      const double root = least(charged + size_t(size) * kRelations);
      before[0] = after[size] = root;
      for (int head = 0; head < word; head++)
        before[head + 1] = std::min(before[head], least(charged + head * kRelations) + each * (word - head - 1));
      for (int head = size - 1; head > word; head--)
        after[head] = std::min(after[head + 1], least(charged + head * kRelations) + each * (head - word - 1));
    }
    for (int word = 0; word < size; word++)
      outside_before_[word + 1] = outside_before_[word] + own(word, word, word + 1);
    for (int word = size; word-- > 0;) outside_after_[word] = outside_after_[word + 1] + own(word, word, word + 1);
  }

  double operator()(int start, int end, int head) const {
    return outside_before_[size_t(start)] + outside_after_[size_t(end)] + own(head, start, end);
  }

  // What the head of a constituent costs by the words outside it.
  double own(int head, int start, int end) const {
    const size_t row = size_t(head) * (size_t(size_) + 1);
    return std::min(before_[row + size_t(start)], after_[row + size_t(end)]);
  }

private:
  int size_ = 0;
  std::vector<double> before_, after_, outside_before_, outside_after_;

  static double least(const double *charged) {
    return std::min(kImpossible, std::min(charged[0], std::min(charged[1], charged[2])));
  }
};

// The learned rules, and the memory of searches, which is used again.
struct State {
  Python python;
  Field fields[5];             // of a derivation
  Field tag_category, logprob; // of a supertag
  Categories categories;
  Scheme scheme;
  double distance = 0, mark = 0, right_first = 0;
  int forward = 0, backward = 0, right_mark = 0, left_mark = 0;
  std::vector<int> classes, left_classes, right_classes;
  std::vector<double> rule_costs;
  Table<double> step_costs{1024};
  std::vector<Step> steps;
  Table<Range> pairs{1u << 14};
  std::vector<Description> descriptions;
  Table<int> bits{256}; // of the keys that categories are told apart by

  std::vector<Item> items;
  std::vector<Entry> agenda; // a heap
  std::vector<std::vector<Edge>> waiting = std::vector<std::vector<Edge>>(kBuckets); // dearer than all of it
  size_t filled = 0;         // the last of these that anything was put into
  Table<Cell> cells{1u << 12};
  Table<uint32_t> crowds{1u << 12}; // how many keys were finished over the same words
  std::vector<std::vector<Group>> starting, ending;
  std::vector<uint32_t> goals;
  Estimate estimate;

  ~State() {
    for (PyObject *object : python.categories) Py_XDECREF(object);
    for (PyObject *object : {python.book, python.functor, python.forward, python.backward, python.numbers})
      Py_XDECREF(object);
  }

  // The number of one of Python's categories, which is read if it is new.
  Category number(PyObject *category) {
    std::vector<std::pair<PyObject *, bool>> agenda{{category, false}};
    while (!agenda.empty()) {
      auto [part, visited] = agenda.back();
      agenda.pop_back();
      if (known(part) != kNone) continue;
      if (PyObject_HasAttrString(part, "base")) {
        remember(part, read_atom(part));
      } else {
        Owned result(PyObject_GetAttrString(part, "result")), argument(PyObject_GetAttrString(part, "argument"));
        if (visited) {
          Owned slash(PyObject_GetAttrString(part, "slash")), conj(PyObject_GetAttrString(part, "conj"));
          Slash side = text_of(slash) == "/" ? kForward : kBackward;
          remember(part, categories.functor(known(result), side, known(argument), PyObject_IsTrue(conj) == 1));
        } else { // the parts live as long as the whole does
          agenda.insert(agenda.end(), {{part, true}, {argument, false}, {result, false}});
        }
      }
    }
    return known(category);
  }

  // Python's category of a number; borrowed.
  PyObject *object(Category category) {
    if (python.categories.size() < categories.nodes.size()) python.categories.resize(categories.nodes.size());
    if (python.categories[size_t(category)] == nullptr) {
      std::vector<Category> agenda{category};
      while (!agenda.empty()) {
        const Node node = categories[agenda.back()];
        if (node.slash == ccgkit::kAtom) { // made by features that were carried over
          build(agenda.back(), make_atom(node));
        } else if (PyObject *result = python.categories[size_t(node.result)]; result == nullptr) {
          agenda.push_back(node.result);
          continue;
        } else if (PyObject *argument = python.categories[size_t(node.argument)]; argument == nullptr) {
          agenda.push_back(node.argument);
          continue;
        } else {
          PyObject *slash = node.slash == kForward ? python.forward : python.backward;
          build(agenda.back(), PyObject_CallFunction(python.functor, "OOOO", result, slash, argument,
                                                     node.conj ? Py_True : Py_False));
        }
        agenda.pop_back();
      }
    }
    return python.categories[size_t(category)];
  }

  const Description &describe(Category category) {
    if (descriptions.size() <= size_t(category)) descriptions.resize(2 * size_t(category) + 64);
    if (!descriptions[size_t(category)].known) {
      Description made = ask(category);
      made.left = sign(category, made, true);
      made.right = sign(category, made, false);
      made.known = true;
      descriptions[size_t(category)] = made;
    }
    return descriptions[size_t(category)];
  }

  // The steps of two categories that were described.
  Range pair(Category left, Category right, bool conjoined) {
    uint64_t key = uint64_t(left) << 32 | uint64_t(right) << 1 | conjoined;
    Range &range = pairs.at(key);
    if (range.known) return range;
    range.first = uint32_t(steps.size());
    range.known = true;
    learn(left, right, conjoined);
    range.count = uint32_t(steps.size()) - range.first;
    return range;
  }

  // The memory of a large chart is not kept.
  void give_back() {
    if (items.size() < kLarge / 256) return; // small ones have hardly any
    size_t room = items.capacity();
    for (const auto &bucket : waiting) room += bucket.capacity();
    if (room <= kLarge) return;
    std::vector<Item>().swap(items);
    std::vector<Entry>().swap(agenda);
    std::vector<std::vector<Edge>>(kBuckets).swap(waiting);
  }

  void forget() {
    steps.clear();
    pairs.clear();
    descriptions.clear();
  }

private:
  struct Pair {
    Category left, right;
    const Description &one, &other;
    size_t first; // of its steps
    int32_t largest;
  };

  Category known(PyObject *category) {
    if (const Category *number = python.known.find(reinterpret_cast<uintptr_t>(category))) return *number - 1;
    PyObject *number = PyDict_GetItemWithError(python.numbers, category);
    if (number == nullptr && PyErr_Occurred()) throw PythonError();
    return number == nullptr ? kNone : Category(PyLong_AsLong(number));
  }

  void remember(PyObject *category, Category number) {
    Owned value(PyLong_FromLong(number));
    if (PyDict_SetItem(python.numbers, category, value) != 0) throw PythonError();
    python.known.at(reinterpret_cast<uintptr_t>(category)) = number + 1;
    if (python.categories.size() < categories.nodes.size()) python.categories.resize(categories.nodes.size());
    if (python.categories[size_t(number)] != nullptr) return;
    Py_INCREF(category);
    python.categories[size_t(number)] = category;
  }

  void build(Category number, PyObject *made) {
    Owned object(made);
    remember(object, number);
  }

  Category read_atom(PyObject *atom) {
    Owned base(PyObject_GetAttrString(atom, "base")), feature(PyObject_GetAttrString(atom, "feature"));
    Owned conj(PyObject_GetAttrString(atom, "conj"));
    int32_t spelled = feature == Py_None ? 0 : categories.spelling(text_of(feature));
    return categories.atom(categories.spelling(text_of(base)), spelled, PyObject_IsTrue(conj) == 1);
  }

  PyObject *make_atom(const Node &node) {
    const std::string &base = categories.text(node.base), &feature = categories.text(node.feature);
    Owned type(PyObject_GetAttrString(python.book, "atom"));
    return PyObject_CallFunction(type, "szO", base.c_str(), node.feature == 0 ? nullptr : feature.c_str(),
                                 node.conj ? Py_True : Py_False);
  }

  Description ask(Category category) {
    Owned answer(PyObject_CallMethod(python.book, "describe", "O", object(category)));
    Description made;
    int heads, conjunct, mark, conjunction, changes_right;
    unsigned long long lefts, rights;
    PyObject *changes;
    if (!PyArg_ParseTuple(answer, "pppppdKKO!", &heads, &conjunct, &mark, &conjunction, &changes_right, &made.ending,
                          &lefts, &rights, &PyTuple_Type, &changes))
      throw PythonError();
    made.heads = heads, made.conjunct = conjunct, made.mark = mark, made.conjunction = conjunction;
    made.changes_right = changes_right, made.lefts = lefts, made.rights = rights;
    std::vector<Step> read;
    for (Py_ssize_t i = 0; i < PyTuple_Size(changes); i++) {
      PyObject *result;
      int rule;
      double cost;
      if (!PyArg_ParseTuple(PyTuple_GetItem(changes, i), "Oid", &result, &rule, &cost)) throw PythonError();
      read.push_back({number(result), int16_t(rule), 0, 0, cost});
    }
    made.changes.first = uint32_t(steps.size());
    made.changes.count = uint32_t(read.size());
    steps.insert(steps.end(), read.begin(), read.end());
    return made;
  }

  // What a category looks for, and offers, beside others: where two signatures do not meet, nothing combines.
  Signature sign(Category category, const Description &about, bool left) {
    enum Kind { kWanted = 0, kChange = 2, kCoordinate = 3 }; // a wanted category's kind is the functor's slash
    const bool plain = scheme.coordination == "plain";
    const Slash own = left ? kForward : kBackward, other = left ? kBackward : kForward;
    Signature keys;
    keys.low = left ? 2 : 1; // the first bit: a mark or conjunction before anything; the second: a mark after it
    if (left ? about.mark || about.conjunction : about.mark) keys.low = 3;
    Category part = category;
    for (int i = 0; i < std::max(2, scheme.degree + 1); i++) {
      add_key(keys, kWanted + (other == kForward), categories[part].skeleton);
      if (categories[part].slash == ccgkit::kAtom) break;
      part = categories[part].result;
    }
    const Node node = categories[category];
    if (node.slash != ccgkit::kAtom) {
      const Node inner = categories[node.result];
      if (node.slash == own) add_key(keys, kWanted + (own == kForward), categories[node.argument].skeleton);
      if (inner.slash == own) add_key(keys, kWanted + (own == kForward), categories[inner.argument].skeleton);
    }
    const uint64_t changes = left ? about.lefts : about.rights;
    for (int i = 0; i < 64; i++)
      if (changes >> i & 1) add_key(keys, kChange, i);
    if (left || plain) add_key(keys, kCoordinate, node.skeleton);
    else if (node.conj) add_key(keys, kCoordinate, categories[categories.with_conj(category, false)].skeleton);
    return keys;
  }

  // The keys' bits are in the order in which they turn up: the common ones have bits of their own.
  void add_key(Signature &keys, int kind, Category category) {
    int &bit = bits.at(uint64_t(kind) << 32 | uint64_t(category));
    if (bit == 0) bit = int(bits.size());
    const int place = 2 + bit % 126;
    (place < 64 ? keys.low : keys.high) |= 1ull << place % 64;
  }

  void learn(Category left, Category right, bool conjoined) {
    const Node one = categories[left], other = categories[right];
    const Pair pair{left, right, descriptions[size_t(left)], descriptions[size_t(right)], steps.size(),
                    std::max(one.size, other.size)};
    for (int rule : scheme.rules) combinatory(pair, rule);
    generalized(pair, left, right, kForward);
    generalized(pair, right, left, kBackward);
    coordinate(pair, conjoined);
    if (pair.other.mark) add(pair, left, right_mark, 0);
    if (pair.one.mark) add(pair, right, left_mark, 1);
    for (size_t i = 0; i < scheme.binary.size(); i++)
      if (pair.one.lefts >> i & pair.other.rights >> i & 1)
        for (Category result : scheme.binary[i]) add(pair, result, scheme.number("*"), pair.one.changes_right);
  }

  void combinatory(const Pair &pair, int rule) {
    const std::string &symbol = scheme.symbols[size_t(rule)];
    const Slash slash = symbol[0] == '>' ? kForward : kBackward;
    const Slash same = slash, crossed = slash == kForward ? kBackward : kForward;
    const Category functor = slash == kForward ? pair.left : pair.right;
    const Category argument = slash == kForward ? pair.right : pair.left;
    Category result = kNone;
    if (symbol.find('S') != std::string::npos) {
      result = categories.share(functor, argument, slash, symbol.back() == 'x' ? crossed : same, scheme.loose);
    } else if (symbol.back() == 'n' || categories[functor].slash != slash) {
      return;
    } else if (symbol.size() == 1) {
      result = categories.apply(functor, argument, scheme.loose);
    } else if (categories[argument].slash == (symbol.back() == 'x' ? crossed : same)) {
      result = categories.compose(functor, argument, 1, scheme.loose);
    }
    if (result != kNone) add(pair, result, rule, head(pair, slash));
  }

  void generalized(const Pair &pair, Category functor, Category argument, Slash slash) {
    if (categories[functor].slash != slash) return;
    for (int degree = 2; degree <= scheme.degree; degree++) {
      Category result = categories.compose(functor, argument, degree, scheme.loose);
      if (result == kNone) continue;
      bool crossed = false;
      Category part = argument;
      for (int i = 0; i < degree; i++, part = categories[part].result) crossed |= categories[part].slash != slash;
      int rule = scheme.number((slash == kForward ? std::string(">B") : "<B") + (crossed ? "xn" : "n"));
      if (scheme.admits(rule)) add(pair, result, rule, head(pair, slash));
    }
  }

  static int head(const Pair &pair, Slash slash) {
    return slash == kForward ? !pair.one.heads : pair.other.heads;
  }

  void coordinate(const Pair &pair, bool conjoined) {
    const bool opens = pair.one.conjunction;
    const bool conj = categories[pair.right].conj;
    const int conjunction = scheme.number("&"), coordination = scheme.number("Φ");
    if (scheme.coordination == "mark") {
      if (opens && !conj && !pair.other.mark)
        add(pair, categories.with_conj(pair.right, true), conjunction, 1);
      if (conj && !categories[pair.left].conj &&
          categories.unify(pair.left, categories.with_conj(pair.right, false), false))
        add(pair, categories.matched, coordination, 0);
    } else if (scheme.coordination == "functor") {
      if (opens && !pair.other.mark)
        add(pair, categories.functor(pair.right, kBackward, pair.right, false), conjunction, 1);
    } else {
      if (opens) add(pair, pair.right, conjunction, 1);
      if (conjoined && !pair.one.mark && categories.unify(pair.left, pair.right, false))
        add(pair, categories.matched, coordination, 0);
    }
  }

  // One step for each category and class that comes out: the cheapest, of equals the first.
  void add(const Pair &pair, Category result, int rule, int head) {
    const std::string &symbol = scheme.symbols[size_t(rule)];
    const bool composed = symbol.find('B') != std::string::npos;
    if (composed && categories[result].size > pair.largest)
      return; // no derivation of the corpora has it, and charts would grow without end
    const uint64_t key = uint64_t(rule) << 58 | uint64_t(pair.left) << 29 | uint64_t(pair.right);
    const double *known = step_costs.find(key);
    const Step step{result, int16_t(rule), int8_t(head), relation(pair, symbol, head),
                    known != nullptr ? *known : rule_costs[size_t(rule)]};
    for (size_t i = pair.first; i < steps.size(); i++)
      if (steps[i].category == result && classes[size_t(steps[i].rule)] == classes[size_t(rule)]) {
        if (step.cost < steps[i].cost) steps[i] = step;
        return;
      }
    steps.push_back(step);
  }

  // As `relation` and `makes_cluster` of ccgkit.constraints: 0 none, 1 argument, 2 modifier.
  int8_t relation(const Pair &pair, const std::string &symbol, int head) const {
    if (symbol == "Φ") return 2;
    if (symbol[0] != '<' && symbol[0] != '>') return 0;
    const bool left = categories.is_argument_cluster(pair.left), right = categories.is_argument_cluster(pair.right);
    if (symbol[1] == 'B' && left && right) return kCluster;
    const int side = symbol[0] == '<';
    return side == head || (side ? right : left) ? 1 : 2;
  }
};

PyObject *take(std::vector<PyObject *> &done) {
  PyObject *last = done.back();
  done.pop_back();
  return last;
}

// What derivations are made of; all of it is borrowed.
struct Names {
  PyObject *type, *rules;
  const Field *fields;
  PyObject *heads[2]; // 0 and 1

  PyObject *node(PyObject *category, PyObject *children, PyObject *token, int rule, int side) const {
    PyObject *made = PyType_GenericAlloc(reinterpret_cast<PyTypeObject *>(type), 0);
    if (made == nullptr) return nullptr;
    PyObject *values[5] = {category, children, token, rule < 0 ? Py_None : PyTuple_GetItem(rules, rule), heads[side]};
    for (int i = 0; i < 5; i++)
      if (values[i] == nullptr || fields[i].set(made, values[i]) != 0) {
        Py_CLEAR(made);
        break;
      }
    return made;
  }
};

// A constraint on the category of a constituent.
struct Label {
  PyObject *admits; // borrowed from the query
  int start, end;
  bool wanted;
  double cost;
};

// What constraints cost, as `Charges` has it.
struct Charges {
  const double *spans = nullptr, *links = nullptr;
  std::vector<Label> labels;
};

class Search {
public:
  Charges charges;

  struct Leaf {
    double cost;
    Category category;
    int place;
  };
  std::vector<Leaf> leaves;

  Search(State &state, int size, int nbest, bool readings, size_t max_items, double work, double seconds)
      : s(state), size(size), nbest(nbest), readings(readings), max_items(max_items), work(work) {
    using namespace std::chrono;
    deadline = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(seconds));
    s.items.clear();
    s.agenda.clear();
    for (; s.filled > 0; s.filled--) s.waiting[s.filled].clear();
    s.cells.clear();
    s.crowds.clear();
    s.goals.clear();
    if (s.starting.size() < size_t(size + 1)) {
      s.starting.resize(size + 1);
      s.ending.resize(size + 1);
    }
    for (int i = 0; i <= size; i++) {
      s.starting[i].clear();
      s.ending[i].clear();
    }
  }

  // The supertags of a word that are no more than `bound` worse than its best, best first, each category once.
  void word(int place, PyObject *tags, double bound) {
    const Py_ssize_t count = PyTuple_Size(tags);
    scores.clear();
    double best = -kInfinity;
    for (Py_ssize_t i = 0; i < count; i++) {
      Owned logprob(s.logprob.get(PyTuple_GetItem(tags, i)));
      scores.push_back(PyFloat_AsDouble(logprob));
      if (scores.back() > best) best = scores.back();
    }
    if (PyErr_Occurred()) throw PythonError();
    total += best;
    const size_t first = leaves.size();
    for (Py_ssize_t i = 0; i < count; i++) {
      double cost = best - scores[size_t(i)];
      if (!(cost <= kImpossible)) cost = kImpossible; // also where a log-probability is no number
      if (cost > bound) continue;
      Owned category(s.tag_category.get(PyTuple_GetItem(tags, i)));
      leave(first, {cost, s.number(category), place});
    }
  }

  double ceiling = kInfinity; // the cost of the cheapest derivation so far
  double total = 0; // of the words' best log-probabilities

  // Take items off the agenda; gives the limit that was hit.
  int exhaust() {
    const int limit = search();
    if (!s.goals.empty()) {
      if (nbest > 1 && int(best.size()) < nbest) choose(limit == 0 ? kInfinity : reach);
      return limit;
    }
    if (limit == 0) return limit;
    s.items.reserve(s.items.size() + waiting); // what waits may be part of a row of fragments
    for (auto &bucket : s.waiting) {
      s.items.insert(s.items.end(), bucket.begin(), bucket.end());
      std::vector<Edge>().swap(bucket);
    }
    return limit;
  }

  int search() {
    if (charges.links != nullptr) s.estimate.fit(size, s.distance, charges.links, marked());
    for (const Leaf &leaf : leaves) push_leaf(leaf);
    for (int popped = 1; !s.agenda.empty() || open_bucket(); popped++) {
      if (popped % kClock == 0) {
        if (PyErr_CheckSignals() != 0) throw PythonError();
        if (std::chrono::steady_clock::now() > deadline) return 2;
      }
      if (s.items.size() + waiting > max_items) return 1;
      if (s.agenda.front().cost > reach && enough(s.agenda.front().cost)) break;
      std::pop_heap(s.agenda.begin(), s.agenda.end());
      const uint32_t number = s.agenda.back().item;
      s.agenda.pop_back();
      const Item item = s.items[number];
      if (item.rule == kGoal) {
        s.goals.push_back(number);
        if (nbest == 1) break;
        reach = std::min(reach, item.cost + kFirstReach);
        continue;
      }
      Cell &cell = s.cells.at(key(item.category, item, item));
      if (cell.finished != 0 || crowded(item)) continue;
      cell.finished = number + 1;
      expand(number, item);
    }
    return 0;
  }

  // The items of the derivations of the whole sentence, parents before their parts, left before right.
  std::vector<std::pair<double, std::vector<uint32_t>>> derivations() const {
    std::vector<std::pair<double, std::vector<uint32_t>>> found;
    if (nbest == 1) {
      for (uint32_t goal : s.goals) found.emplace_back(s.items[goal].cost, under(uint32_t(s.items[goal].left)));
      return found;
    }
    for (const Choice &choice : best) {
      std::vector<uint32_t> order;
      std::vector<std::pair<uint32_t, uint32_t>> agenda{{uint32_t(s.items[choice.item].left), choice.left}};
      while (!agenda.empty()) {
        const Choice &made = choices[agenda.back().first][agenda.back().second];
        const Item &item = s.items[made.item];
        agenda.pop_back();
        order.push_back(made.item);
        if (item.rule == kLeaf) continue;
        if (item.right >= 0) agenda.emplace_back(uint32_t(item.right), made.right);
        agenda.emplace_back(uint32_t(item.left), made.left);
      }
      found.emplace_back(choice.cost, std::move(order));
    }
    return found;
  }

  // The items under an item, each as it was made first.
  std::vector<uint32_t> under(uint32_t root) const {
    std::vector<uint32_t> order, agenda{root};
    while (!agenda.empty()) {
      const uint32_t number = agenda.back();
      agenda.pop_back();
      order.push_back(number);
      const Item &item = s.items[number];
      if (item.rule == kLeaf) continue;
      if (item.right >= 0) agenda.push_back(uint32_t(item.right));
      agenda.push_back(uint32_t(item.left));
    }
    return order;
  }

  // The fewest constituents that cover the words, of these the cheapest.
  std::vector<uint32_t> fragments() {
    std::vector<uint32_t> roots;
    struct Best {
      int count = std::numeric_limits<int>::max();
      double cost = 0;
      uint32_t item = 0;
    };
    std::vector<Best> best(size + 1);
    best[0].count = 0;
    std::vector<std::vector<uint32_t>> ending(size + 1);
    for (uint32_t i = 0; i < s.items.size(); i++) ending[s.items[i].end].push_back(i);
    for (int end = 1; end <= size; end++)
      for (uint32_t i : ending[end]) {
        const Item &item = s.items[i];
        const Best &before = best[item.start];
        double extra = s.describe(item.category).ending + labelled(item, true);
        if (item.rule == kGoal || (extra == kInfinity && item.rule != kLeaf)) continue;
        if (extra == kInfinity) extra = 0;
        double cost = before.cost + item.cost + extra;
        Best &now = best[end];
        if (before.count + 1 < now.count || (before.count + 1 == now.count && cost < now.cost))
          now = {before.count + 1, cost, i};
      }
    for (int end = size; end > 0; end = s.items[roots.back()].start) roots.push_back(best[end].item);
    std::reverse(roots.begin(), roots.end());
    return roots;
  }

  // Whether a label allows a category, asked of Python once.
  bool admits(size_t label, int32_t category) {
    int8_t &known = admitted.at(uint64_t(label) << 32 | uint32_t(category));
    if (known == 0) {
      Owned answer(PyObject_CallFunction(charges.labels[label].admits, "O", s.object(category)));
      known = PyObject_IsTrue(answer) == 1 ? 1 : -1;
    }
    return known > 0;
  }

  // The cost of the labels that an item lacks now that no unary step follows, or has but should not.
  double labelled(const Place &place, Category category, bool wanted) {
    double cost = 0;
    for (size_t i = 0; i < charges.labels.size(); i++) {
      const Label &label = charges.labels[i];
      if (label.wanted == wanted && label.start == place.start && label.end == place.end && !admits(i, category))
        cost += label.cost;
    }
    return cost;
  }

  double labelled(const Item &item, bool wanted) { return labelled(item, item.category, wanted); }

  // A derivation of these items, as Python's Derivation objects.
  PyObject *tree(const std::vector<uint32_t> &order, const Names &names, PyObject *tokens) {
    std::vector<PyObject *> done; // owned; from the last node on, a left child is on top of its sibling
    bool failed = false;
    for (size_t i = order.size(); i-- > 0 && !failed;) {
      const Item &item = s.items[order[i]];
      PyObject *children, *token = Py_None;
      if (item.rule == kLeaf) {
        children = PyTuple_New(0);
        token = PyTuple_GetItem(tokens, item.left);
      } else if (item.right < 0) {
        children = PyTuple_New(1);
        if (children != nullptr) PyTuple_SetItem(children, 0, take(done));
      } else {
        children = PyTuple_New(2);
        if (children != nullptr) {
          PyTuple_SetItem(children, 0, take(done));
          PyTuple_SetItem(children, 1, take(done));
        }
      }
      PyObject *node = children == nullptr ? nullptr : names.node(s.object(item.category), children, token, item.rule, item.side);
      Py_XDECREF(children);
      failed = node == nullptr;
      if (!failed) done.push_back(node);
    }
    if (!failed) return done.back();
    for (PyObject *node : done) Py_DECREF(node);
    return nullptr;
  }

private:
  std::vector<double> scores;
  Table<int8_t> admitted{64};
  State &s;
  int size, nbest;
  bool readings; // whether no two derivations may have the same reading
  size_t max_items;
  double work;
  int opened = 0;     // the last bucket of the agenda whose items are in the heap
  size_t waiting = 0; // items in the others
  std::chrono::steady_clock::time_point deadline;
  double reach = kInfinity; // up to what cost all derivations are wanted, once there is one
  std::vector<std::vector<Choice>> choices; // of the finished items, by their numbers
  std::vector<Choice> best; // of the whole sentence

  // Items with the same key are the same to all that follows; their heads are where links cost. Of several derivations
  // each costs what it does alone, so there heads and unary steps, of which there are only so many, always count.
  uint64_t key(Category category, const Place &place, const Traits &traits) const {
    const uint64_t chain = nbest == 1 ? 0 : uint64_t(traits.chain);
    return uint64_t(uint32_t(category)) << 38 | head(place) << 28 | uint64_t(place.start) << 18 |
           uint64_t(place.end) << 8 | uint64_t(traits.kind) << 3 | uint64_t(traits.conjunct) << 2 | chain;
  }

  uint64_t head(const Place &place) const { return nbest == 1 && charges.links == nullptr ? 0 : uint64_t(place.head); }

  // Whether there are derivations enough that cost no more than `reach`; else it goes further, up to `cost` at least.
  bool enough(double cost) {
    const double first = s.items[s.goals[0]].cost;
    while (reach < cost) {
      choose(reach);
      if (int(best.size()) == nbest) return true;
      reach = first + 2 * (reach - first);
    }
    return false;
  }

  // The cheapest derivations that cost no more than `most` (Huang and Chiang 2005, from below; what no such derivation
  // has a part in is left out first).
  void choose(double most) {
    most += kRounding * (1 + std::abs(most));
    const size_t count = s.items.size();
    std::vector<uint32_t> first(count, 0), next(count, 0), nodes; // of each finished item what makes it, plus one
    for (uint32_t i = 0; i < count; i++) {
      const Item &item = s.items[i];
      if (item.rule == kGoal) continue;
      const uint32_t finished = s.cells.at(key(item.category, item, item)).finished;
      if (finished == 0) continue;
      if (finished == i + 1) nodes.push_back(i);
      next[i] = first[finished - 1];
      first[finished - 1] = i + 1;
    }
    std::sort(nodes.begin(), nodes.end(), [this](uint32_t one, uint32_t other) {
      const Item &a = s.items[one], &b = s.items[other];
      return std::make_tuple(a.end - a.start, a.chain, one) < std::make_tuple(b.end - b.start, b.chain, other);
    });
    std::vector<double> outside(count, kInfinity); // what the rest of a derivation costs, at least
    for (uint32_t goal : s.goals) take_part(outside, uint32_t(s.items[goal].left), s.items[goal].cost);
    for (size_t i = nodes.size(); i-- > 0;)
      for (uint32_t one = first[nodes[i]]; one != 0; one = next[one - 1]) {
        const Item &item = s.items[one - 1];
        const double total = outside[nodes[i]] + item.cost;
        if (!(total <= most) || item.rule == kLeaf) continue;
        take_part(outside, uint32_t(item.left), total);
        if (item.right >= 0) take_part(outside, uint32_t(item.right), total);
      }
    choices.assign(count, {});
    std::vector<uint32_t> makers;
    for (uint32_t node : nodes) {
      makers.clear();
      for (uint32_t one = first[node]; one != 0; one = next[one - 1]) makers.push_back(one - 1);
      choices[node] = cheapest(makers, most - outside[node]);
    }
    best = cheapest(s.goals, most);
  }

  // What an item adds to the reading: a word's category, who depends on whom, what is coordinated, and changes of type,
  // with their words where they make functors. Where marks attach and how constituents are put together does not count.
  uint64_t said(const Item &item) const {
    if (item.rule == kGoal || item.rule == s.right_mark || item.rule == s.left_mark) return 0;
    if (item.rule == kLeaf) return mixed(0, uint64_t(item.start), uint64_t(item.category));
    const std::string &symbol = s.scheme.symbols[size_t(item.rule)];
    if (symbol == "&" || symbol == "Φ") return mixed(1, uint64_t(item.start), uint64_t(item.end));
    uint64_t sum = 0;
    if (symbol == "*") {
      sum = mixed(2, uint64_t(item.head), uint64_t(item.category));
      if (s.categories[item.category].slash != ccgkit::kAtom) sum += mixed(4, uint64_t(item.start), uint64_t(item.end));
    }
    if (item.right >= 0) {
      const uint32_t dependent = uint32_t(item.side ? item.left : item.right);
      sum += mixed(3, uint64_t(s.items[dependent].head), uint64_t(item.head));
    }
    return sum;
  }

  static uint64_t mixed(uint64_t kind, uint64_t one, uint64_t other) { // as in SplitMix64
    uint64_t number = (kind << 60 ^ one << 32 ^ other) + 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    return number ^ number >> 31;
  }

  void take_part(std::vector<double> &outside, uint32_t part, double total) const {
    outside[part] = std::min(outside[part], total - s.items[part].cost);
  }

  // The cheapest ways through items that make the same, those up to a cost.
  std::vector<Choice> cheapest(const std::vector<uint32_t> &makers, double most) const {
    std::vector<Choice> found, agenda;
    std::unordered_set<uint64_t> seen;
    const auto consider = [&](uint32_t number, uint32_t left, uint32_t right) {
      const Item &item = s.items[number];
      double cost = item.cost;
      uint64_t reading = said(item);
      if (item.rule != kLeaf) {
        const auto &lefts = choices[size_t(item.left)];
        if (left >= lefts.size()) return;
        cost += lefts[left].cost - s.items[size_t(item.left)].cost;
        reading += lefts[left].reading;
        if (item.right >= 0) {
          const auto &rights = choices[size_t(item.right)];
          if (right >= rights.size()) return;
          cost += rights[right].cost - s.items[size_t(item.right)].cost;
          reading += rights[right].reading;
        }
      }
      if (!(cost <= most)) return;
      agenda.push_back({cost, number, left, right, reading});
      std::push_heap(agenda.begin(), agenda.end());
    };
    for (uint32_t number : makers) consider(number, 0, 0);
    while (!agenda.empty() && int(found.size()) < nbest) {
      std::pop_heap(agenda.begin(), agenda.end());
      const Choice choice = agenda.back();
      agenda.pop_back();
      if (!readings || seen.insert(choice.reading).second) found.push_back(choice);
      const Item &item = s.items[choice.item];
      if (item.rule == kLeaf) continue;
      consider(choice.item, choice.left + 1, choice.right);
      if (item.right >= 0 && choice.left == 0) consider(choice.item, 0, choice.right + 1);
    }
    return found;
  }

  // Whether there are enough constituents of the same words: the larger the chart, the fewer are enough.
  bool crowded(const Item &item) {
    uint32_t &crowd = s.crowds.at(uint64_t(item.start) << 20 | uint64_t(item.end) << 10 | head(item));
    return ++crowd > std::max(kSmallestCrowd, work / double(s.items.size() + waiting));
  }

  // Most items are dearer than the derivation that is found: these wait unsorted, and their keys are never looked up.
  void enqueue(double estimate, double cost, Category category, int32_t left, int32_t right, Place place,
               Traits traits) {
    const int bucket = int(std::min(estimate * kBucketsANat, double(kBuckets - 1)));
    if (bucket > opened) {
      s.waiting[size_t(bucket)].emplace_back(cost, category, left, right, place, traits);
      s.filled = std::max(s.filled, size_t(bucket));
      waiting++;
    } else if (admit(estimate, cost, key(category, place, traits), place)) {
      s.items.emplace_back(cost, category, left, right, place, traits);
    }
  }

  // Put the cheapest items that wait into the heap; gives whether there are any.
  bool open_bucket() {
    while (s.agenda.empty() && waiting > 0) {
      auto &bucket = s.waiting[size_t(++opened)];
      for (const Edge &edge : bucket) {
        const double estimate = estimated(edge.cost, edge);
        if (nbest == 1 && estimate > ceiling) continue;
        if (admit(estimate, edge.cost, key(edge.category, edge, edge), edge)) s.items.emplace_back(edge);
      }
      waiting -= bucket.size();
      bucket.clear();
      if (bucket.capacity() > kLarge / 256) std::vector<Edge>().swap(bucket);
    }
    return !s.agenda.empty();
  }

  // Put the item that is made next into the heap if it can be better than all those with its key that are or were
  // there; gives whether it is to be kept, which for several derivations others are, too.
  bool admit(double estimate, double cost, uint64_t key, const Place &place) {
    if (place.rule != kGoal) {
      Cell &cell = s.cells.at(key);
      if (cell.cheapest <= cost) return nbest > 1;
      cell.cheapest = cost;
    }
    s.agenda.push_back({estimate, place.end - place.start, uint32_t(s.items.size())});
    std::push_heap(s.agenda.begin(), s.agenda.end());
    return true;
  }

  // Put a leaf among those of its word, which begin at `first`.
  void leave(size_t first, const Leaf &leaf) {
    size_t place = leaves.size();
    while (place > first && leaf.cost < leaves[place - 1].cost) place--;
    for (size_t i = first; i < place; i++)
      if (leaves[i].category == leaf.category) return;
    leaves.insert(leaves.begin() + std::ptrdiff_t(place), leaf);
    for (size_t i = place + 1; i < leaves.size(); i++)
      if (leaves[i].category == leaf.category) {
        leaves.erase(leaves.begin() + std::ptrdiff_t(i));
        return;
      }
  }

  void push_leaf(const Leaf &leaf) {
    const int16_t start = int16_t(leaf.place);
    const uint8_t conjunct = s.describe(leaf.category).conjunct;
    push(leaf.cost, leaf.category, leaf.place, -1, {start, int16_t(start + 1), start, kLeaf}, {0, 0, conjunct, 0});
  }

  // The words that may head a mark, which distance does not count for; all, if a functor makes marks.
  std::vector<bool> marked() {
    std::vector<bool> marks(size_t(size), false);
    for (const Leaf &leaf : leaves) {
      Category target = leaf.category;
      while (s.categories[target].slash != ccgkit::kAtom) target = s.categories[target].result;
      if (!s.describe(target).mark) continue;
      if (target != leaf.category) return std::vector<bool>(size_t(size), true);
      marks[size_t(leaf.place)] = true;
    }
    return marks;
  }

  // What an item costs with all that has to follow, at least.
  double estimated(double cost, const Place &place) const {
    if (charges.links == nullptr || place.rule == kGoal) return cost;
    return cost + s.estimate(place.start, place.end, place.head);
  }

  // The charge of a constituent's attachment; in a cluster, of the cheapest that is to come.
  double attached(const Item &dependent, int head, int relation) const {
    if (charges.links == nullptr) return 0;
    if (relation == kCluster) return s.estimate.own(dependent.head, dependent.start, dependent.end);
    return linked(dependent.head, head, relation);
  }

  double linked(int dependent, int head, int relation) const {
    if (charges.links == nullptr) return 0;
    return charges.links[(size_t(dependent) * (size + 1) + head) * kRelations + relation];
  }

  // Put an item on the agenda unless a derivation that is there is cheaper than all it can make.
  void push(double cost, Category category, int32_t left, int32_t right, Place place, Traits traits) {
    if (!charges.labels.empty() && place.rule != kLeaf) cost += labelled(place, category, false);
    if (cost == kInfinity) return;
    const double estimate = estimated(cost, place);
    if (nbest == 1 && estimate > ceiling) return;
    enqueue(estimate, cost, category, left, right, place, traits);
  }

  void expand(uint32_t number, const Item &item) {
    const Description &about = s.describe(item.category); // nothing more is described before it is used
    if (item.end - item.start == size) {
      double extra = about.ending + (linked(item.head, size, 0) + labelled(item, true));
      const double cost = item.cost + extra;
      if (extra < kInfinity) {
        ceiling = std::min(ceiling, cost);
        enqueue(cost, cost, item.category, int32_t(number), -1, {item.start, item.end, item.head, kGoal}, {});
      }
    }
    if (item.chain < kMaxChain) change(number, item, about.changes);
    file(s.starting[item.start], 0, number, about.right);
    file(s.ending[item.end], 1, number, about.left);
    const auto &lefts = s.ending[item.start];
    for (size_t i = 0; i < lefts.size(); i++) {
      const Group &group = lefts[i];
      if (!group.keys.meets(about.right)) continue;
      const Range range = s.pair(group.category, item.category, item.conjunct);
      if (range.count == 0) continue;
      for (uint32_t left = group.first;; left = s.items[left].next[1]) {
        combine(left, number, range);
        if (left == group.last) break;
      }
    }
    const auto &rights = s.starting[item.end];
    for (size_t i = 0; i < rights.size(); i++) {
      const Group &group = rights[i];
      if (!group.keys.meets(about.left)) continue;
      const Range range = s.pair(item.category, group.category, group.conjunct);
      if (range.count == 0) continue;
      for (uint32_t right = group.first;; right = s.items[right].next[0]) {
        combine(number, right, range);
        if (right == group.last) break;
      }
    }
  }

  void file(std::vector<Group> &groups, int side, uint32_t number, const Signature &keys) {
    const Item &item = s.items[number];
    for (Group &group : groups)
      if (group.category == item.category && group.conjunct == item.conjunct) {
        s.items[group.last].next[side] = number;
        group.last = number;
        return;
      }
    groups.push_back({item.category, number, number, item.conjunct, keys});
  }

  // The cost of the places of two neighbours, as `Costs` has it.
  double attachment(const Item &one, const Item &other, const Step &step) const {
    int between = other.head - one.head - 1;
    if (step.rule == s.right_mark || step.rule == s.left_mark) {
      if (s.mark < 0) return -s.mark * between;
      bool at_edge = step.rule == s.right_mark ? one.start == 0 : other.end == size;
      return at_edge ? 0.0 : s.mark;
    }
    double cost = s.distance * between;
    if (s.right_first > 0) {
      if (step.rule == s.forward && step.category == other.category && other.head < other.end - 1)
        cost += s.right_first;
    } else if (step.rule == s.backward && step.category == one.category && one.head > one.start) {
      cost -= s.right_first;
    }
    return cost;
  }

  void change(uint32_t number, const Item &item, const Range &range) {
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
      const Step &step = s.steps[i];
      push(item.cost + step.cost, step.category, int32_t(number), -1, {item.start, item.end, item.head, step.rule},
           {0, uint8_t(s.classes[step.rule]), item.conjunct, uint8_t(item.chain + 1)});
    }
  }

  void combine(uint32_t left, uint32_t right, const Range &range) {
    const Item one = s.items[left], other = s.items[right];
    double charged = charges.spans == nullptr ? 0 : charges.spans[size_t(one.start) * (size + 1) + other.end];
    if (!charges.labels.empty()) charged += labelled(one, true) + labelled(other, true);
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
      const Step &step = s.steps[i];
      if (!(s.left_classes[step.rule] >> one.kind & 1) || !(s.right_classes[step.rule] >> other.kind & 1))
        continue;
      const int16_t head = step.head ? other.head : one.head;
      double charge = charged + attached(step.head ? one : other, head, step.relation);
      double cost = one.cost + other.cost + step.cost + attachment(one, other, step) + charge;
      push(cost, step.category, int32_t(left), int32_t(right), {one.start, other.end, head, step.rule},
           {uint8_t(step.head), uint8_t(s.classes[step.rule]), one.conjunct, 0});
    }
  }
};

const char *kCapsule = "ccgkit.parsing._astar.State";

void destroy(PyObject *capsule) { delete static_cast<State *>(PyCapsule_GetPointer(capsule, kCapsule)); }

void read_ints(PyObject *book, const char *name, std::vector<int> &into) {
  Owned values(PyObject_GetAttrString(book, name));
  for (Py_ssize_t i = 0; i < PyTuple_Size(values); i++)
    into.push_back(int(PyLong_AsLong(PyTuple_GetItem(values, i))));
  if (PyErr_Occurred()) throw PythonError();
}

// What `Rulebook.tables` gives.
void read_tables(State &state, PyObject *tables) {
  PyObject *symbols, *rules, *binary, *costs, *steps;
  const char *coordination;
  int loose;
  if (!PyArg_ParseTuple(tables, "O!O!ispO!(ddd)O!O!", &PyTuple_Type, &symbols, &PyTuple_Type, &rules,
                        &state.scheme.degree, &coordination, &loose, &PyTuple_Type, &binary, &state.distance,
                        &state.mark, &state.right_first, &PyTuple_Type, &costs, &PyTuple_Type, &steps))
    throw PythonError();
  Scheme &scheme = state.scheme;
  scheme.degree = std::min(scheme.degree, Categories::kMaxDegree);
  scheme.coordination = coordination;
  scheme.loose = loose;
  for (Py_ssize_t i = 0; i < PyTuple_Size(symbols); i++) {
    scheme.symbols.push_back(text_of(PyTuple_GetItem(symbols, i)));
    state.rule_costs.push_back(PyFloat_AsDouble(PyTuple_GetItem(costs, i)));
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(rules); i++)
    scheme.rules.push_back(int(PyLong_AsLong(PyTuple_GetItem(rules, i))));
  for (Py_ssize_t i = 0; i < PyTuple_Size(binary); i++) {
    PyObject *results = PyTuple_GetItem(binary, i);
    scheme.binary.emplace_back();
    for (Py_ssize_t j = 0; j < PyTuple_Size(results); j++)
      scheme.binary.back().push_back(state.number(PyTuple_GetItem(results, j)));
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(steps); i++) {
    int rule;
    PyObject *one, *other;
    double cost;
    if (!PyArg_ParseTuple(PyTuple_GetItem(steps, i), "iOOd", &rule, &one, &other, &cost)) throw PythonError();
    const uint64_t left = uint64_t(state.number(one)), right = uint64_t(state.number(other));
    state.step_costs.at(uint64_t(rule) << 58 | left << 29 | right) = cost;
  }
  state.forward = scheme.number(">"), state.backward = scheme.number("<");
  state.right_mark = scheme.number("rp"), state.left_mark = scheme.number("lp");
  if (PyErr_Occurred()) throw PythonError();
}

PyObject *make_state(PyObject *book) {
  Owned capsule(PyCapsule_New(new State, kCapsule, destroy));
  State *state = static_cast<State *>(PyCapsule_GetPointer(capsule, kCapsule));
  Py_INCREF(book);
  state->python.book = book;
  state->python.functor = checked(PyObject_GetAttrString(book, "functor"));
  Owned slashes(PyObject_GetAttrString(book, "slashes"));
  state->python.forward = checked(PySequence_GetItem(slashes, 0));
  state->python.backward = checked(PySequence_GetItem(slashes, 1));
  state->python.numbers = checked(PyDict_New());
  const char *fields[5] = {"category", "children", "token", "rule", "head"};
  Owned derivation(PyObject_GetAttrString(book, "derivation")), supertag(PyObject_GetAttrString(book, "supertag"));
  for (int i = 0; i < 5; i++) state->fields[i].find(derivation, fields[i]);
  state->tag_category.find(supertag, "category");
  state->logprob.find(supertag, "logprob");
  read_ints(book, "classes", state->classes);
  read_ints(book, "left_classes", state->left_classes);
  read_ints(book, "right_classes", state->right_classes);
  Owned tables(PyObject_CallMethod(book, "tables", nullptr));
  read_tables(*state, tables);
  Py_INCREF(capsule);
  return capsule;
}

bool read_table(PyObject *table, size_t size, const double *&into) {
  if (table == Py_None) return true;
  char *bytes;
  Py_ssize_t length;
  if (PyBytes_AsStringAndSize(table, &bytes, &length) != 0) return false;
  into = reinterpret_cast<const double *>(bytes);
  if (size_t(length) == size * sizeof(double)) return true;
  PyErr_SetString(PyExc_ValueError, "a table of charges has not the sentence's size");
  return false;
}

bool read_charges(Charges &charges, PyObject *spans, PyObject *links, PyObject *labels, size_t size) {
  if (!read_table(spans, (size + 1) * (size + 1), charges.spans)) return false;
  if (!read_table(links, size * (size + 1) * kRelations, charges.links)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(labels); i++) {
    Label label;
    int wanted;
    if (!PyArg_ParseTuple(PyTuple_GetItem(labels, i), "Oiipd", &label.admits, &label.start, &label.end, &wanted,
                          &label.cost))
      return false;
    label.wanted = wanted;
    charges.labels.push_back(label);
  }
  return true;
}

State *state_of(PyObject *capsule) {
  State *state = static_cast<State *>(PyCapsule_GetPointer(capsule, kCapsule));
  if (state == nullptr) throw PythonError();
  return state;
}

PyObject *search_words(PyObject *args) {
  PyObject *capsule, *tags, *tokens, *spans, *links, *labels;
  Names names;
  int nbest, readings;
  Py_ssize_t max_items, tried;
  double seconds, bound, work;
  if (!PyArg_ParseTuple(args, "OO!O!O!OdnipnddOOO!", &capsule, &PyTuple_Type, &tags, &PyTuple_Type, &tokens,
                        &PyTuple_Type, &names.rules, &names.type, &bound, &tried, &nbest, &readings, &max_items, &work,
                        &seconds, &spans, &links, &PyTuple_Type, &labels))
    return nullptr;
  State *state = state_of(capsule);
  Py_ssize_t size = PyTuple_Size(tags);
  if (size < 1 || size > kMaxWords || PyTuple_Size(tokens) != size) {
    PyErr_Format(PyExc_ValueError, "between 1 and %d words can be searched, not %zd", kMaxWords, size);
    return nullptr;
  }
  Owned left(PyLong_FromLong(0)), right(PyLong_FromLong(1));
  names.fields = state->fields;
  names.heads[0] = left, names.heads[1] = right;
  if (state->pairs.size() > kMaxPairs) state->forget();
  Search run(*state, int(size), nbest, readings, size_t(max_items), work, seconds);
  if (!read_charges(run.charges, spans, links, labels, size_t(size))) return nullptr;
  for (Py_ssize_t place = 0; place < size; place++) {
    PyObject *k_best = PyTuple_GetItem(tags, place);
    if (!PyTuple_Check(k_best)) {
      PyErr_SetString(PyExc_TypeError, "a word's supertags are a tuple");
      return nullptr;
    }
    run.word(int(place), k_best, bound);
  }
  if (Py_ssize_t(run.leaves.size()) == tried) Py_RETURN_NONE;
  int limit = run.exhaust();
  auto found = run.derivations();
  bool spanning = !found.empty();
  if (!spanning) {
    const std::vector<uint32_t> roots = run.fragments();
    for (uint32_t root : roots) found.emplace_back(state->items[root].cost, run.under(root));
    if (roots.size() == 1) // one that no time was left to finish
      spanning = run.labelled(state->items[roots[0]], true) < kInfinity;
  }
  PyObject *trees = PyList_New(0);
  if (trees == nullptr) return nullptr;
  for (const auto &[cost, order] : found) {
    PyObject *tree = run.tree(order, names, tokens);
    PyObject *pair = tree == nullptr ? nullptr : Py_BuildValue("dN", cost, tree);
    if (pair == nullptr || PyList_Append(trees, pair) != 0) {
      Py_XDECREF(pair);
      Py_DECREF(trees);
      return nullptr;
    }
    Py_DECREF(pair);
  }
  Py_ssize_t items = Py_ssize_t(state->items.size());
  state->give_back();
  return Py_BuildValue("iOnnNd", limit, spanning ? Py_True : Py_False, items, Py_ssize_t(run.leaves.size()), trees, run.total);
}

// How many categories are known; the steps of two of them, as the rulebook has them.
PyObject *count_categories(PyObject *capsule) { return PyLong_FromSize_t(state_of(capsule)->categories.nodes.size()); }

PyObject *combine_pair(PyObject *args) {
  PyObject *capsule, *left, *right;
  int conjoined;
  if (!PyArg_ParseTuple(args, "OOOp", &capsule, &left, &right, &conjoined)) return nullptr;
  State *state = state_of(capsule);
  const Category one = state->number(left), other = state->number(right);
  const Signature signature = state->describe(one).left;
  Owned found(PyList_New(0));
  if (signature.meets(state->describe(other).right)) {
    const Range range = state->pair(one, other, conjoined);
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
      const Step step = state->steps[i];
      Owned made(Py_BuildValue("Oiidi", state->object(step.category), step.rule, step.head, step.cost, step.relation));
      if (PyList_Append(found, made) != 0) return nullptr;
    }
  }
  return PyList_AsTuple(found);
}

// What C++ throws becomes what Python raises.
template <PyObject *(*function)(PyObject *)> PyObject *guarded(PyObject *, PyObject *args) {
  try {
    return function(args);
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  } catch (const PythonError &) {
    return nullptr;
  }
}

PyMethodDef methods[] = {
    {"new_state", guarded<make_state>, METH_O, "The rules of one rulebook."},
    {"search", guarded<search_words>, METH_VARARGS, "Search one sentence: limit, spanning, items, tags, trees, best."},
    {"combine", guarded<combine_pair>, METH_VARARGS, "The steps of two categories."},
    {"count", guarded<count_categories>, METH_O, "How many categories are known."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_astar", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit__astar(void) { return PyModule_Create(&module); }
