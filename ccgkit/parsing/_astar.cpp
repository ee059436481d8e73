// A* search over supertags: the same search as in astar.py, compiled. Only the limited C API is used, so
// that one build serves every Python from 3.11 on. Rules come from the Python rulebook, each pair once.

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace {

constexpr int kLeaf = -1, kGoal = -2;  // in place of a rule
constexpr int kMaxChain = 3;           // unary steps over one another
constexpr int kClock = 1024;           // items between two looks at the clock
constexpr double kImpossible = 1e4;    // the cost of a supertag with probability 0, in nats
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMaxWords = 1023;        // what a chart key has room for
constexpr size_t kMaxPairs = 1u << 22; // the rule table starts anew beyond that

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

// Open addressing from 64-bit keys to V; keys are never 2^64-1.
template <typename V> class Table {
public:
  explicit Table(size_t capacity = 1024) { allocate(capacity); }

  V *find(uint64_t key) {
    for (size_t i = place(key);; i = (i + 1) & mask_) {
      if (slots_[i].key == key) return &slots_[i].value;
      if (slots_[i].key == kFree) return nullptr;
    }
  }

  V &at(uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    for (size_t i = place(key);; i = (i + 1) & mask_) {
      if (slots_[i].key == key) return slots_[i].value;
      if (slots_[i].key == kFree) {
        slots_[i] = {key, V()};
        size_++;
        return slots_[i].value;
      }
    }
  }

  void clear() {
    if (slots_.size() > 1u << 16)
      allocate(1024);
    else
      for (Slot &slot : slots_) slot.key = kFree;
    size_ = 0;
  }

  size_t size() const { return size_; }

private:
  static constexpr uint64_t kFree = ~0ull;
  struct Slot {
    uint64_t key = kFree;
    V value;
  };
  std::vector<Slot> slots_;
  size_t mask_ = 0, size_ = 0;
  int shift_ = 0;

  size_t place(uint64_t key) const { return (key * 0x9E3779B97F4A7C15ull) >> shift_; }

  void allocate(size_t capacity) {
    slots_.assign(capacity, Slot());
    mask_ = capacity - 1;
    shift_ = 64;
    while (capacity >>= 1) shift_--;
  }

  void grow() {
    std::vector<Slot> old;
    old.swap(slots_);
    allocate(2 * old.size());
    for (const Slot &slot : old)
      if (slot.key != kFree) {
        size_t i = place(slot.key);
        while (slots_[i].key != kFree) i = (i + 1) & mask_;
        slots_[i] = slot;
      }
  }
};

struct Item {
  double cost;
  int32_t category, left, right;
  int16_t start, end, head, rule;
  uint8_t side, kind, conjunct, chain;
  uint32_t next[2] = {0, 0}; // in the group of where it starts, and of where it ends; 0: none
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
  int32_t finished = 0;
};

// The keys of a category as 128 bits: where they do not meet, categories do not combine.
struct Signature {
  uint64_t low = 0, high = 0;
  bool meets(const Signature &other) const { return (low & other.low) | (high & other.high); }
};

// Finished items of one category at one place, linked in the order in which they came.
struct Group {
  int32_t category;
  uint32_t first, last;
  uint8_t conjunct;
};

// The learned rules, and the memory of searches, which is used again.
struct State {
  PyObject *book = nullptr; // borrowed from the call that is under way
  PyObject *fields[6] = {}; // names of attributes: a derivation's, and a supertag's
  bool tells_conjuncts = false;
  double distance = 0, mark = 0, right_first = 0;
  int forward = 0, backward = 0, right_mark = 0, left_mark = 0;
  std::vector<int> classes, left_classes, right_classes;
  std::vector<Step> steps;
  Table<Range> pairs{1u << 14};
  std::vector<Range> changes;
  std::vector<double> endings;
  std::vector<int8_t> conjuncts;
  std::vector<Signature> lefts, rights;

  std::vector<Item> items;
  std::vector<Entry> agenda;
  Table<Cell> cells{1u << 12};
  std::vector<std::vector<Group>> starting, ending;
  Table<uint32_t> groups{1u << 12}; // numbers of groups, by place, side and category
  std::vector<uint32_t> goals;

  void forget() {
    steps.clear();
    pairs.clear();
    changes.clear();
  }
};

// Append the steps that a call of the rulebook gave, a tuple of (category, rule, head, cost, relation).
bool read_steps(State &state, PyObject *result, Range &range) {
  if (result == nullptr) return false;
  Py_ssize_t count = PyTuple_Size(result);
  range.first = uint32_t(state.steps.size());
  range.count = uint32_t(count);
  range.known = true;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *step = PyTuple_GetItem(result, i);
    state.steps.push_back({int32_t(PyLong_AsLong(PyTuple_GetItem(step, 0))),
                           int16_t(PyLong_AsLong(PyTuple_GetItem(step, 1))),
                           int8_t(PyLong_AsLong(PyTuple_GetItem(step, 2))),
                           int8_t(PyLong_AsLong(PyTuple_GetItem(step, 4))),
                           PyFloat_AsDouble(PyTuple_GetItem(step, 3))});
  }
  Py_DECREF(result);
  return !PyErr_Occurred();
}

PyObject *take(std::vector<PyObject *> &done) {
  PyObject *last = done.back();
  done.pop_back();
  return last;
}

// The names of a supertag's attributes.
struct Attributes {
  PyObject *category, *logprob;
};

// What derivations are made of; all but the type's name are borrowed.
struct Names {
  PyObject *type, *categories, *rules;
  PyObject *fields[5] = {};

  // Frozen classes refuse setattr; as their own __init__ does, this goes to object's.
  PyObject *node(int32_t category, PyObject *children, PyObject *token, int rule, int side) const {
    PyObject *made = PyType_GenericAlloc(reinterpret_cast<PyTypeObject *>(type), 0);
    PyObject *head = PyLong_FromLong(side);
    if (made == nullptr || head == nullptr) return nullptr;
    PyObject *values[5] = {PyList_GetItem(categories, category), children, token,
                           rule < 0 ? Py_None : PyTuple_GetItem(rules, rule), head};
    for (int i = 0; i < 5; i++)
      if (values[i] == nullptr || PyObject_GenericSetAttr(made, fields[i], values[i]) != 0) {
        Py_CLEAR(made);
        break;
      }
    Py_DECREF(head);
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

constexpr int kRelations = 3;

// What constraints cost, as `Charges` has it.
struct Charges {
  const double *spans = nullptr, *links = nullptr;
  std::vector<Label> labels;
};

class Search {
public:
  Charges charges;

  Search(State &state, PyObject *categories, int size, int nbest, size_t max_items, double seconds)
      : categories(categories), s(state), size(size), nbest(nbest), max_items(max_items) {
    using namespace std::chrono;
    deadline = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(seconds));
    s.items.clear();
    s.agenda.clear();
    s.cells.clear();
    s.groups.clear();
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

  // The supertags of a word that are no more than `bound` worse than its best; false for a Python error.
  bool word(int place, PyObject *tags, PyObject *numbers, const Attributes &names, double bound) {
    Py_ssize_t count = PyTuple_Size(tags);
    leaves.clear();
    double best = -std::numeric_limits<double>::infinity();
    for (Py_ssize_t i = 0; i < count; i++) {
      PyObject *tag = PyTuple_GetItem(tags, i);
      PyObject *category = PyObject_GetAttr(tag, names.category);
      PyObject *logprob = category == nullptr ? nullptr : PyObject_GetAttr(tag, names.logprob);
      if (logprob == nullptr) {
        Py_XDECREF(category);
        return false;
      }
      PyObject *number = PyDict_GetItemWithError(numbers, category);
      int32_t known;
      if (number != nullptr) {
        known = int32_t(PyLong_AsLong(number));
      } else {
        number = PyErr_Occurred() ? nullptr : PyObject_CallMethod(s.book, "number", "O", category);
        known = number == nullptr ? -1 : int32_t(PyLong_AsLong(number));
        Py_XDECREF(number);
      }
      double score = PyFloat_AsDouble(logprob);
      Py_DECREF(category);
      Py_DECREF(logprob);
      if (PyErr_Occurred()) return false;
      leaves.push_back({score, known});
      if (score > best) best = score;
    }
    total += best;
    for (size_t i = 0; i < leaves.size(); i++) {
      double cost = best - leaves[i].score;
      if (!(cost <= kImpossible)) cost = kImpossible; // also where a log-probability is no number
      bool repeated = false;
      for (size_t j = 0; j < leaves.size() && !repeated; j++)
        repeated = leaves[j].category == leaves[i].category &&
                   (leaves[j].score > leaves[i].score || (j < i && !(leaves[j].score < leaves[i].score)));
      if (cost <= bound && !repeated) {
        kept++;
        if (!leaf(place, leaves[i].category, cost)) return false;
      }
    }
    return true;
  }

  double ceiling = kInfinity; // the cost of the cheapest derivation so far
  Py_ssize_t kept = 0;
  double total = 0; // of the words' best log-probabilities

  bool leaf(int place, int32_t category, double cost) {
    int conjunct = 0;
    if (s.tells_conjuncts) {
      if (s.conjuncts.size() <= size_t(category)) s.conjuncts.resize(category + 64, -1);
      if (s.conjuncts[category] < 0) {
        PyObject *answer = PyObject_CallMethod(s.book, "starts_conjunct", "i", category);
        if (answer == nullptr) return false;
        s.conjuncts[category] = PyObject_IsTrue(answer) == 1;
        Py_DECREF(answer);
      }
      conjunct = s.conjuncts[category];
    }
    Item item{cost, category, place, -1, int16_t(place), int16_t(place + 1), int16_t(place), kLeaf, 0, 0,
              uint8_t(conjunct), 0};
    push(item);
    return true;
  }

  // Take items off the agenda; gives the limit that was hit, -1 for a Python error.
  int exhaust() {
    for (int popped = 1; !s.agenda.empty(); popped++) {
      if (popped % kClock == 0) {
        if (PyErr_CheckSignals() != 0) return -1;
        if (std::chrono::steady_clock::now() > deadline) return 2;
      }
      if (s.items.size() > max_items) return 1;
      std::pop_heap(s.agenda.begin(), s.agenda.end());
      uint32_t number = s.agenda.back().item;
      s.agenda.pop_back();
      Item item = s.items[number];
      if (item.rule == kGoal) {
        s.goals.push_back(number);
        if (int(s.goals.size()) == nbest) break;
        continue;
      }
      Cell &cell = s.cells.at(key(item));
      if (cell.finished == nbest) continue;
      cell.finished++;
      if (!expand(number, item)) return -1;
    }
    return 0;
  }

  bool ending_cost(int32_t category, double &cost) {
    if (s.endings.size() <= size_t(category)) s.endings.resize(category + 64, -1.0);
    if (s.endings[category] < 0) {
      PyObject *answer = PyObject_CallMethod(s.book, "ending", "i", category);
      if (answer == nullptr) return false;
      s.endings[category] = PyFloat_AsDouble(answer);
      Py_DECREF(answer);
    }
    cost = s.endings[category];
    return !PyErr_Occurred();
  }

  // The fewest constituents that cover the words, of these the cheapest.
  bool fragments(std::vector<uint32_t> &roots) {
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
        double extra;
        if (!ending_cost(item.category, extra)) return false;
        extra += labelled(item, true);
        if (item.rule == kGoal || (extra == kInfinity && item.rule != kLeaf)) continue;
        if (extra == kInfinity) extra = 0;
        double cost = before.cost + item.cost + extra;
        Best &now = best[end];
        if (before.count + 1 < now.count || (before.count + 1 == now.count && cost < now.cost))
          now = {before.count + 1, cost, i};
      }
    for (int end = size; end > 0; end = s.items[roots.back()].start) roots.push_back(best[end].item);
    std::reverse(roots.begin(), roots.end());
    return true;
  }

  // Whether a label allows a category, asked of Python once.
  bool admits(size_t label, int32_t category) {
    int8_t &known = admitted.at(uint64_t(label) << 32 | uint32_t(category));
    if (known == 0) {
      PyObject *answer = PyObject_CallFunction(charges.labels[label].admits, "O", PyList_GetItem(categories, category));
      if (answer == nullptr) throw PythonError();
      known = PyObject_IsTrue(answer) == 1 ? 1 : -1;
      Py_DECREF(answer);
    }
    return known > 0;
  }

  // The cost of the labels that an item lacks now that no unary step follows, or has but should not.
  double labelled(const Item &item, bool wanted) {
    double cost = 0;
    for (size_t i = 0; i < charges.labels.size(); i++) {
      const Label &label = charges.labels[i];
      if (label.wanted == wanted && label.start == item.start && label.end == item.end && !admits(i, item.category))
        cost += label.cost;
    }
    return cost;
  }

  // The derivation under an item, as Python's Derivation objects.
  PyObject *tree(uint32_t root, const Names &names, PyObject *tokens) {
    std::vector<uint32_t> order, agenda{s.items[root].rule == kGoal ? uint32_t(s.items[root].left) : root};
    while (!agenda.empty()) {
      uint32_t number = agenda.back();
      agenda.pop_back();
      order.push_back(number);
      const Item &item = s.items[number];
      if (item.rule == kLeaf) continue;
      if (item.right >= 0) agenda.push_back(uint32_t(item.right));
      agenda.push_back(uint32_t(item.left));
    }
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
      PyObject *node = children == nullptr ? nullptr : names.node(item.category, children, token, item.rule, item.side);
      Py_XDECREF(children);
      failed = node == nullptr;
      if (!failed) done.push_back(node);
    }
    if (!failed) return done.back();
    for (PyObject *node : done) Py_DECREF(node);
    return nullptr;
  }

private:
  struct Leaf {
    double score;
    int32_t category;
  };
  std::vector<Leaf> leaves;
  Table<int8_t> admitted{64};
  PyObject *categories; // borrowed
  State &s;
  int size, nbest;
  size_t max_items;
  std::chrono::steady_clock::time_point deadline;

  // Items with the same key are the same to all that follows; their heads are where links cost.
  uint64_t key(const Item &item) const {
    uint64_t head = charges.links == nullptr ? 0 : uint64_t(item.head);
    return uint64_t(uint32_t(item.category)) << 36 | head << 26 | uint64_t(item.start) << 16 | uint64_t(item.end) << 6 |
           uint64_t(item.kind) << 1 | item.conjunct;
  }

  void enqueue(const Item &item) {
    s.agenda.push_back({item.cost, item.end - item.start, uint32_t(s.items.size())});
    std::push_heap(s.agenda.begin(), s.agenda.end());
    s.items.push_back(item);
  }

  double linked(int dependent, int head, int relation) const {
    if (charges.links == nullptr) return 0;
    return charges.links[(size_t(dependent) * (size + 1) + head) * kRelations + relation];
  }

  void push(Item item) {
    if (!charges.labels.empty() && item.rule != kLeaf) item.cost += labelled(item, false);
    if (item.cost == kInfinity || (nbest == 1 && item.cost > ceiling)) return;
    Cell &cell = s.cells.at(key(item));
    if (nbest == 1) {
      if (cell.cheapest <= item.cost) return;
      cell.cheapest = item.cost;
    } else if (cell.finished >= nbest) {
      return;
    }
    enqueue(item);
  }

  bool sign(int32_t category) {
    if (s.lefts.size() <= size_t(category)) {
      s.lefts.resize(2 * category + 64);
      s.rights.resize(2 * category + 64);
    }
    if (s.rights[category].low | s.rights[category].high) return true; // every category has a key
    PyObject *bits = PyObject_CallMethod(s.book, "signatures", "i", category);
    if (bits == nullptr) return false;
    uint64_t parts[4];
    for (int i = 0; i < 4; i++) parts[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(bits, i));
    Py_DECREF(bits);
    s.lefts[category] = {parts[0], parts[1]};
    s.rights[category] = {parts[2], parts[3]};
    return !PyErr_Occurred();
  }

  bool expand(uint32_t number, const Item &item) {
    if (!sign(item.category)) return false;
    const Signature as_left = s.lefts[item.category], as_right = s.rights[item.category];
    if (item.end - item.start == size) {
      double extra;
      if (!ending_cost(item.category, extra)) return false;
      extra += linked(item.head, size, 0) + labelled(item, true);
      Item goal{item.cost + extra, item.category, int32_t(number), -1, item.start, item.end, item.head,
                kGoal, 0, 0, 0, 0};
      if (extra < kInfinity) {
        ceiling = std::min(ceiling, goal.cost);
        enqueue(goal);
      }
    }
    if (item.chain < kMaxChain && !change(number, item)) return false;
    file(s.starting[item.start], item.start, 0, number);
    file(s.ending[item.end], item.end, 1, number);
    const auto &lefts = s.ending[item.start];
    for (size_t i = 0; i < lefts.size(); i++) {
      const Group group = lefts[i];
      if (!s.lefts[group.category].meets(as_right)) continue;
      Range range;
      if (!pair(group.category, item.category, item.conjunct, range)) return false;
      if (range.count == 0) continue;
      for (uint32_t left = group.first;; left = s.items[left].next[1]) {
        combine(left, number, range);
        if (left == group.last) break;
      }
    }
    const auto &rights = s.starting[item.end];
    for (size_t i = 0; i < rights.size(); i++) {
      const Group group = rights[i];
      if (!as_left.meets(s.rights[group.category])) continue;
      Range range;
      if (!pair(item.category, group.category, group.conjunct, range)) return false;
      if (range.count == 0) continue;
      for (uint32_t right = group.first;; right = s.items[right].next[0]) {
        combine(number, right, range);
        if (right == group.last) break;
      }
    }
    return true;
  }

  void file(std::vector<Group> &groups, int place, int side, uint32_t number) {
    const Item &item = s.items[number];
    uint64_t key = uint64_t(uint32_t(item.category)) << 12 | uint64_t(place) << 2 | uint64_t(side) << 1 | item.conjunct;
    uint32_t *known = s.groups.find(key);
    if (known == nullptr) {
      s.groups.at(key) = uint32_t(groups.size());
      groups.push_back({item.category, number, number, item.conjunct});
    } else {
      Group &group = groups[*known];
      s.items[group.last].next[side] = number;
      group.last = number;
    }
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

  bool change(uint32_t number, const Item &item) {
    if (s.changes.size() <= size_t(item.category)) s.changes.resize(item.category + 64);
    if (!s.changes[item.category].known) {
      Range range;
      if (!read_steps(s, PyObject_CallMethod(s.book, "changed", "i", item.category), range)) return false;
      s.changes[item.category] = range;
    }
    Range range = s.changes[item.category];
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
      const Step &step = s.steps[i];
      push({item.cost + step.cost, step.category, int32_t(number), -1, item.start, item.end, item.head,
            step.rule, 0, uint8_t(s.classes[step.rule]), item.conjunct, uint8_t(item.chain + 1)});
    }
    return true;
  }

  // The steps of two categories, learned if need be; false for a Python error.
  bool pair(int32_t left, int32_t right, uint8_t conjunct, Range &range) {
    uint64_t key = uint64_t(uint32_t(left)) << 32 | uint64_t(uint32_t(right)) << 1 | conjunct;
    Range *found = s.pairs.find(key);
    if (found != nullptr) {
      range = *found;
      return true;
    }
    PyObject *steps = PyObject_CallMethod(s.book, "combined", "iiO", left, right, conjunct ? Py_True : Py_False);
    if (!read_steps(s, steps, range)) return false;
    s.pairs.at(key) = range;
    return true;
  }

  void combine(uint32_t left, uint32_t right, const Range &range) {
    const Item one = s.items[left], other = s.items[right];
    double charged = charges.spans == nullptr ? 0 : charges.spans[size_t(one.start) * (size + 1) + other.end];
    if (!charges.labels.empty()) charged += labelled(one, true) + labelled(other, true);
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
      const Step &step = s.steps[i];
      if (!(s.left_classes[step.rule] >> one.kind & 1) || !(s.right_classes[step.rule] >> other.kind & 1))
        continue;
      const int16_t head = step.head ? other.head : one.head, dependent = step.head ? one.head : other.head;
      double charge = charged + linked(dependent, head, step.relation);
      double cost = one.cost + other.cost + step.cost + attachment(one, other, step) + charge;
      push({cost, step.category, int32_t(left), int32_t(right), one.start, other.end, head, step.rule,
            uint8_t(step.head),
            uint8_t(s.classes[step.rule]), one.conjunct, 0});
    }
  }
};

const char *kCapsule = "ccgkit.parsing._astar.State";

void destroy(PyObject *capsule) {
  State *state = static_cast<State *>(PyCapsule_GetPointer(capsule, kCapsule));
  for (PyObject *field : state->fields) Py_XDECREF(field);
  delete state;
}

bool read_ints(PyObject *book, const char *name, std::vector<int> &into) {
  PyObject *values = PyObject_GetAttrString(book, name);
  if (values == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(values); i++)
    into.push_back(int(PyLong_AsLong(PyTuple_GetItem(values, i))));
  Py_DECREF(values);
  return !PyErr_Occurred();
}

PyObject *new_state(PyObject *, PyObject *args) {
  PyObject *book;
  int tells_conjuncts;
  State *state = new State;
  if (!PyArg_ParseTuple(args, "Op(ddd)(iiii)", &book, &tells_conjuncts, &state->distance, &state->mark,
                        &state->right_first, &state->forward, &state->backward, &state->right_mark,
                        &state->left_mark)) {
    delete state;
    return nullptr;
  }
  state->tells_conjuncts = tells_conjuncts;
  const char *fields[6] = {"category", "children", "token", "rule", "head", "logprob"};
  for (int i = 0; i < 6; i++) state->fields[i] = PyUnicode_InternFromString(fields[i]);
  if (!read_ints(book, "classes", state->classes) || !read_ints(book, "left_classes", state->left_classes) ||
      !read_ints(book, "right_classes", state->right_classes)) {
    delete state;
    return nullptr;
  }
  return PyCapsule_New(state, kCapsule, destroy);
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

PyObject *search_words(PyObject *args) {
  PyObject *book, *capsule, *tags, *tokens, *numbers;
  Names names;
  int nbest;
  Py_ssize_t max_items, tried;
  double seconds, bound;
  PyObject *spans, *links, *labels;
  if (!PyArg_ParseTuple(args, "OOO!O!O!O!O!OdnindOOO!", &book, &capsule, &PyTuple_Type, &tags, &PyTuple_Type, &tokens,
                        &PyDict_Type, &numbers, &PyList_Type, &names.categories, &PyTuple_Type, &names.rules,
                        &names.type, &bound, &tried, &nbest, &max_items, &seconds, &spans, &links, &PyTuple_Type,
                        &labels))
    return nullptr;
  State *state = static_cast<State *>(PyCapsule_GetPointer(capsule, kCapsule));
  if (state == nullptr) return nullptr;
  Py_ssize_t size = PyTuple_Size(tags);
  if (size < 1 || size > kMaxWords || PyTuple_Size(tokens) != size) {
    PyErr_Format(PyExc_ValueError, "between 1 and %d words can be searched, not %zd", kMaxWords, size);
    return nullptr;
  }
  for (int i = 0; i < 5; i++) names.fields[i] = state->fields[i];
  state->book = book;
  if (state->pairs.size() > kMaxPairs) state->forget();
  Search run(*state, names.categories, int(size), nbest, size_t(max_items), seconds);
  if (!read_charges(run.charges, spans, links, labels, size_t(size))) return nullptr;
  Attributes attributes{state->fields[0], state->fields[5]};
  for (Py_ssize_t place = 0; place < size; place++) {
    PyObject *k_best = PyTuple_GetItem(tags, place);
    if (!PyTuple_Check(k_best)) {
      PyErr_SetString(PyExc_TypeError, "a word's supertags are a tuple");
      return nullptr;
    }
    if (!run.word(int(place), k_best, numbers, attributes, bound)) return nullptr;
  }
  if (run.kept == tried) Py_RETURN_NONE;
  int limit = run.exhaust();
  if (limit < 0) return nullptr;
  std::vector<uint32_t> roots = state->goals;
  bool spanning = !roots.empty();
  if (!spanning && !run.fragments(roots)) return nullptr;
  if (!spanning && roots.size() == 1) // one that no time was left to finish
    spanning = run.labelled(state->items[roots[0]], true) < kInfinity;
  PyObject *trees = PyList_New(0);
  if (trees == nullptr) return nullptr;
  for (uint32_t root : roots) {
    PyObject *tree = run.tree(root, names, tokens);
    PyObject *pair = tree == nullptr ? nullptr : Py_BuildValue("dN", state->items[root].cost, tree);
    if (pair == nullptr || PyList_Append(trees, pair) != 0) {
      Py_XDECREF(pair);
      Py_DECREF(trees);
      return nullptr;
    }
    Py_DECREF(pair);
  }
  Py_ssize_t items = Py_ssize_t(state->items.size());
  if (state->items.capacity() > 1u << 20) { // a large chart's memory is given back
    std::vector<Item>().swap(state->items);
    std::vector<Entry>().swap(state->agenda);
  }
  return Py_BuildValue("iOnnNd", limit, spanning ? Py_True : Py_False, items, run.kept, trees, run.total);
}

PyObject *search(PyObject *, PyObject *args) {
  try {
    return search_words(args);
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  } catch (const PythonError &) {
    return nullptr;
  }
}

PyMethodDef methods[] = {
    {"new_state", new_state, METH_VARARGS, "The learned rules of one rulebook."},
    {"search", search, METH_VARARGS, "Search one sentence: limit, spanning, items, trees."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "_astar", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit__astar(void) { return PyModule_Create(&module); }
