// Categories as numbers, and the rules over them: the same as ccgkit.grammar.combine under a scheme, compiled.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ccgkit {

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
    if (2 * (used_.size() + 1) > slots_.size()) grow();
    for (size_t i = place(key);; i = (i + 1) & mask_) {
      if (slots_[i].key == key) return slots_[i].value;
      if (slots_[i].key == kFree) {
        slots_[i] = {key, V()};
        used_.push_back(uint32_t(i));
        return slots_[i].value;
      }
    }
  }

  void clear() { // in the time of what was there; what is large is given back
    for (uint32_t i : used_) slots_[i].key = kFree;
    used_.clear();
    if (slots_.size() > kLarge) allocate(1024);
  }

  size_t size() const { return used_.size(); }

private:
  static constexpr uint64_t kFree = ~0ull;
  static constexpr size_t kLarge = 1u << 18;
  struct Slot {
    uint64_t key = kFree;
    V value;
  };
  std::vector<Slot> slots_;
  std::vector<uint32_t> used_; // places of slots
  size_t mask_ = 0;
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
    for (uint32_t &was : used_) {
      size_t i = place(old[was].key);
      while (slots_[i].key != kFree) i = (i + 1) & mask_;
      slots_[i] = old[was];
      was = uint32_t(i);
    }
  }
};

using Category = int32_t; // a number; below 2^29
constexpr Category kNone = -1;
enum Slash : uint8_t { kAtom, kForward, kBackward };

// Atom or functor; an atom's feature is 0 if it has none.
struct Node {
  Category result = kNone, argument = kNone;
  int32_t base = 0, feature = 0;
  Slash slash = kAtom;
  bool conj = false;
  bool plain = true; // neither a variable nor [nb] in it
  int32_t size = 1;
  Category skeleton = kNone; // without features
};

// Interned categories: equal ones have the same number.
class Categories {
public:
  std::vector<Node> nodes;

  Categories() {
    texts_.push_back({"", false, false, false}); // no feature; an empty one is another
    nb = spelling("nb");
  }

  const Node &operator[](Category number) const { return nodes[size_t(number)]; }

  int32_t spelling(const std::string &text) {
    auto found = spellings_.emplace(text, int32_t(texts_.size()));
    if (found.second) texts_.push_back({text, is_variable(text), text.find('X') != std::string::npos,
                                        text.find('=') != std::string::npos});
    return found.first->second;
  }

  const std::string &text(int32_t spelling) const { return texts_[size_t(spelling)].text; }

  Category atom(int32_t base, int32_t feature, bool conj) {
    Category &known = atoms_.at(uint64_t(base) << 33 | uint64_t(feature) << 1 | conj);
    if (known != 0) return known - 1;
    Category number = known = Category(nodes.size() + 1); // the reference does not last
    number--;
    nodes.push_back({kNone, kNone, base, feature, kAtom, conj, feature != nb && !texts_[size_t(feature)].open, 1});
    nodes[size_t(number)].skeleton = feature == 0 ? number : atom(base, 0, conj);
    return number;
  }

  Category functor(Category result, Slash slash, Category argument, bool conj) {
    uint64_t key = uint64_t(result) << 33 | uint64_t(argument) << 2 | uint64_t(slash == kForward) << 1 | conj;
    Category &known = functors_.at(key);
    if (known != 0) return known - 1;
    Category number = known = Category(nodes.size() + 1);
    number--;
    const Node one = (*this)[result], other = (*this)[argument];
    nodes.push_back({result, argument, 0, 0, slash, conj, one.plain && other.plain, one.size + other.size});
    bool bare = one.skeleton == result && other.skeleton == argument;
    Category skeleton = bare ? number : functor(one.skeleton, slash, other.skeleton, conj);
    nodes[size_t(number)].skeleton = skeleton;
    return number;
  }

  Category with_conj(Category number, bool conj) {
    const Node node = (*this)[number];
    return node.slash == kAtom ? atom(node.base, node.feature, conj)
                               : functor(node.result, node.slash, node.argument, conj);
  }

  // As `Category.is_argument_cluster`.
  bool is_argument_cluster(Category number) const {
    const Node &node = (*this)[number];
    if (node.slash == kAtom || (*this)[node.argument].slash == node.slash) return false;
    for (Category part = node.argument; (*this)[part].slash != kAtom;) {
      part = (*this)[part].result;
      if (part == node.result) return true;
    }
    return false;
  }

  // Applying a functor; kNone where the categories do not match.
  Category apply(Category functor_, Category argument, bool loose) {
    const Node node = (*this)[functor_];
    if (node.conj || !unify(node.argument, argument, loose)) return kNone;
    Category result = result_of(node);
    const Node made = (*this)[result];
    return made.slash == kAtom && made.feature == nb ? atom(made.base, 0, made.conj) : result;
  }

  // Composing a functor with what lies under `degree` arguments of the other category.
  Category compose(Category functor_, Category other, int degree, bool loose) {
    const Node node = (*this)[functor_];
    if (node.conj || (*this)[other].conj) return kNone;
    Category spine[kMaxDegree];
    for (int i = 0; i < degree; i++) {
      if ((*this)[other].slash == kAtom) return kNone;
      spine[i] = other;
      other = (*this)[other].result;
    }
    if (!unify(node.argument, other, loose)) return kNone;
    const Bindings right = right_; // substitution may not lose it
    Category result = result_of(node);
    for (int i = degree; i-- > 0;) {
      const Node part = (*this)[spine[i]];
      result = functor(result, part.slash, substitute(part.argument, right), false);
    }
    return result;
  }

  // (X/Y)|Z with Y|Z.
  Category share(Category functor_, Category other, Slash slash, Slash shared, bool loose) {
    const Node node = (*this)[functor_], argument = (*this)[other];
    if (node.slash == kAtom || argument.slash == kAtom) return kNone;
    const Node inner = (*this)[node.result];
    if (inner.slash != slash || node.conj || argument.conj) return kNone;
    if (node.slash != shared || argument.slash != shared) return kNone;
    if (!unify(inner.argument, argument.result, loose)) return kNone;
    Category result = result_of(inner);
    if (!unify(node.argument, argument.argument, loose)) return kNone;
    return functor(result, shared, matched, false);
  }

  Category matched = kNone; // what the last unification made

  // Whether two categories match; `matched` and the bindings of both sides say how.
  bool unify(Category left, Category right, bool loose) {
    left_.clear();
    right_.clear();
    if ((*this)[left].skeleton != (*this)[right].skeleton) return false;
    if (left == right && (*this)[left].plain) {
      matched = left;
      return true;
    }
    struct Pair {
      Category one, other;
      bool visited;
    };
    std::vector<Pair> agenda{{left, right, false}};
    std::vector<Category> done;
    while (!agenda.empty()) {
      Pair pair = agenda.back();
      agenda.pop_back();
      const Node one = (*this)[pair.one], other = (*this)[pair.other];
      if (pair.visited) {
        Category argument = done.back();
        done.pop_back();
        done.back() = functor(done.back(), one.slash, argument, one.conj);
      } else if (pair.one == pair.other && one.plain) {
        done.push_back(pair.one);
      } else if (one.slash == kAtom) {
        int32_t feature = unify_atoms(pair.one == pair.other, one.feature, other.feature, loose);
        if (feature == kClash) return false;
        done.push_back(atom(one.base, feature, one.conj));
      } else {
        agenda.push_back({pair.one, pair.other, true});
        agenda.push_back({one.argument, other.argument, false});
        agenda.push_back({one.result, other.result, false});
      }
    }
    matched = done.back();
    return true;
  }

  static constexpr int kMaxDegree = 16;
  int32_t nb;

private:
  struct Text {
    std::string text;
    bool variable, open, pairs; // all of it is a variable; has one; is of keys and values
  };
  using Bindings = std::vector<std::pair<int32_t, int32_t>>;
  using Values = std::vector<std::pair<std::string, int32_t>>;
  static constexpr int32_t kClash = -1;

  std::vector<Text> texts_;
  std::unordered_map<std::string, int32_t> spellings_;
  Table<Category> atoms_{256}, functors_{1u << 12}; // numbers + 1
  Bindings left_, right_;

  static bool is_variable(const std::string &text) {
    return !text.empty() && text[0] == 'X' && text.find_first_not_of("0123456789", 1) == std::string::npos;
  }

  // The functor's result under the last unifier, as `_result` of ccgkit.grammar has it.
  Category result_of(const Node &functor_) {
    Category part = functor_.argument, match = matched;
    while (part != functor_.result) {
      const Node &one = (*this)[part], &other = (*this)[match];
      if (one.slash == kAtom || other.slash == kAtom) return substitute(functor_.result, left_);
      part = one.result;
      match = other.result;
    }
    return match;
  }

  Category substitute(Category category, const Bindings &bindings) {
    if (bindings.empty() || (*this)[category].plain) return category;
    std::vector<std::pair<Category, bool>> agenda{{category, false}};
    std::vector<Category> done;
    while (!agenda.empty()) {
      auto [number, visited] = agenda.back();
      agenda.pop_back();
      const Node node = (*this)[number];
      if (visited) {
        Category argument = done.back();
        done.pop_back();
        done.back() = functor(done.back(), node.slash, argument, node.conj);
      } else if (node.plain) {
        done.push_back(number);
      } else if (node.slash == kAtom) {
        done.push_back(atom(node.base, substituted(node.feature, bindings), node.conj));
      } else {
        agenda.push_back({number, true});
        agenda.push_back({node.argument, false});
        agenda.push_back({node.result, false});
      }
    }
    return done.back();
  }

  int32_t substituted(int32_t feature, const Bindings &bindings) {
    if (!texts_[size_t(feature)].open) return feature;
    if (!texts_[size_t(feature)].pairs) return bound(feature, bindings);
    Values values = values_of(feature);
    for (auto &value : values) value.second = bound(value.second, bindings);
    return joined(values);
  }

  static int32_t bound(int32_t variable, const Bindings &bindings) {
    for (const auto &binding : bindings)
      if (binding.first == variable) return binding.second;
    return variable;
  }

  int32_t unify_atoms(bool same, int32_t one, int32_t other, bool loose) {
    if (same && !texts_[size_t(one)].open) return one == nb ? 0 : one;
    bool pairs = texts_[size_t(one)].pairs && texts_[size_t(other)].pairs;
    return pairs ? unify_values(one, other, loose) : unify_features(one, other, loose);
  }

  int32_t unify_features(int32_t one, int32_t other, bool loose) {
    if (one == nb) one = 0;
    if (other == nb) other = 0;
    if (one == other || other == 0) return one;
    if (one == 0) return other;
    bool variable = texts_[size_t(other)].variable;
    if (texts_[size_t(one)].variable) return variable ? other : bind(left_, one, other, loose);
    return variable ? bind(right_, other, one, loose) : kClash;
  }

  static int32_t bind(Bindings &bindings, int32_t variable, int32_t feature, bool loose) {
    for (const auto &binding : bindings)
      if (binding.first == variable) return binding.second == feature || loose ? feature : kClash;
    bindings.push_back({variable, feature});
    return feature;
  }

  int32_t unify_values(int32_t one, int32_t other, bool loose) {
    Values merged = values_of(one), theirs = values_of(other);
    size_t own = merged.size();
    for (const auto &[key, value] : theirs) {
      size_t i = 0;
      while (i < own && merged[i].first != key) i++;
      if (i == own) merged.push_back({key, value == nb ? 0 : value});
    }
    for (size_t i = 0; i < own; i++) {
      int32_t value = 0;
      for (const auto &their : theirs)
        if (their.first == merged[i].first) value = their.second;
      merged[i].second = unify_features(merged[i].second, value, loose);
      if (merged[i].second == kClash) return kClash;
    }
    return joined(merged);
  }

  // The keys and values of a feature; as in a Python dict, a key given twice has its last value.
  Values values_of(int32_t feature) {
    const std::string text = texts_[size_t(feature)].text;
    Values values;
    for (size_t start = 0; start <= text.size();) {
      size_t end = std::min(text.find(',', start), text.size());
      const std::string pair = text.substr(start, end - start);
      size_t middle = std::min(pair.find('='), pair.size());
      const std::string key = pair.substr(0, middle);
      int32_t value = spelling(middle < pair.size() ? pair.substr(middle + 1) : "");
      size_t i = 0;
      while (i < values.size() && values[i].first != key) i++;
      if (i == values.size()) values.push_back({key, value});
      values[i].second = value;
      start = end + 1;
    }
    return values;
  }

  int32_t joined(const Values &values) {
    std::string text;
    for (const auto &[key, value] : values)
      text += (text.empty() ? "" : ",") + key + "=" + texts_[size_t(value)].text;
    return spelling(text);
  }
};

} // namespace ccgkit
