package dev.outpost.models.constraint;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A context-free grammar over characters, and its recognition one character after the other. A state is the set of what may still
 * have to come, each a stack of rules; stacks are shared and interned, so equal states are equal objects. Not thread-safe.
 */
final class Grammar {
    /** For as often as one likes. */
    static final int ANY = Integer.MAX_VALUE;

    /** A rule. */
    abstract static class Rule {}

    /** A character of some. */
    private static final class OneOf extends Rule {
        final BitSet ascii;
        final boolean isOther;

        OneOf(BitSet ascii, boolean isOther) {
            this.ascii = ascii;
            this.isOther = isOther;
        }

        boolean matches(char c) {
            return c < 128 ? ascii.get(c) : isOther;
        }
    }

    private static final class Sequence extends Rule {
        final List<Rule> parts;

        Sequence(List<Rule> parts) {
            this.parts = parts;
        }
    }

    private static final class Choice extends Rule {
        final List<Rule> choices;

        Choice(List<Rule> choices) {
            this.choices = choices;
        }
    }

    private static final class Repeat extends Rule {
        final Rule rule;
        final int least;
        final int most;

        Repeat(Rule rule, int least, int most) {
            this.rule = rule;
            this.least = least;
            this.most = most;
        }
    }

    /** A rule that is said later, so that rules can contain themselves. */
    static final class Named extends Rule {
        private Rule rule;

        void is(Rule meant) {
            rule = meant;
        }
    }

    private record Times(Rule rule, int least, int most) {}

    /** What has to come: a rule, and then the rest. The empty one is null. */
    private record Cell(Rule rule, Stack rest) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Cell cell && rule == cell.rule && rest == cell.rest;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(rule) * 31 + System.identityHashCode(rest);
        }
    }

    private static final class Stack {
        final Rule rule;
        final Stack rest;

        Stack(Rule rule, Stack rest) {
            this.rule = rule;
            this.rest = rest;
        }
    }

    private static final Stack EMPTY = new Stack(null, null);

    private final Map<Times, Rule> repeats = new HashMap<>();
    private final Map<Cell, Stack> stacks = new HashMap<>();
    private final Map<Set<Stack>, State> states = new HashMap<>();

    // ---- rules

    Rule text(String text) {
        return new Sequence(text.chars()
                .<Rule>mapToObj(c -> among(String.valueOf((char) c), false))
                .toList());
    }

    /** @param isOther whether all characters that are not ASCII are among them */
    Rule among(String characters, boolean isOther) {
        BitSet ascii = new BitSet(128);
        boolean hasOther = isOther;
        for (char c : characters.toCharArray()) {
            if (c < 128) {
                ascii.set(c);
            } else {
                return new Exactly(c);
            }
        }
        return new OneOf(ascii, hasOther);
    }

    /** A character that is not ASCII. */
    private static final class Exactly extends Rule {
        final char c;

        Exactly(char c) {
            this.c = c;
        }
    }

    Rule sequence(Rule... parts) {
        return new Sequence(List.of(parts));
    }

    Rule sequence(List<Rule> parts) {
        return new Sequence(List.copyOf(parts));
    }

    Rule choice(Rule... choices) {
        return new Choice(List.of(choices));
    }

    Rule choice(List<Rule> choices) {
        return choices.size() == 1 ? choices.getFirst() : new Choice(List.copyOf(choices));
    }

    Rule optional(Rule rule) {
        return repeat(rule, 0, 1);
    }

    Rule repeat(Rule rule, int least, int most) {
        return repeats.computeIfAbsent(new Times(rule, least, most), times -> new Repeat(rule, least, most));
    }

    Named named() {
        return new Named();
    }

    // ---- recognition

    /** What may come. Equal ones are one object. */
    static final class State {
        private final Set<Stack> tops;
        private final Map<Character, State> next = new HashMap<>();

        State(Set<Stack> tops) {
            this.tops = tops;
        }

        /** Whether nothing need come. */
        boolean isAccepting() {
            return tops.contains(EMPTY);
        }

        /** Whether nothing can come. */
        boolean isOver() {
            return tops.stream().allMatch(top -> top == EMPTY);
        }

        /** Whether what came is wrong. */
        boolean isDead() {
            return tops.isEmpty();
        }
    }

    State begin(Rule rule) {
        Set<Stack> tops = new LinkedHashSet<>();
        expand(push(rule, EMPTY), tops);
        return intern(tops);
    }

    State advance(State state, char c) {
        return state.next.computeIfAbsent(c, known -> {
            Set<Stack> tops = new LinkedHashSet<>();
            for (Stack top : state.tops) {
                boolean matches = switch (top.rule) {
                    case OneOf some -> some.matches(c);
                    case Exactly one -> one.c == c;
                    case null, default -> false;
                };
                if (matches) {
                    expand(top.rest, tops);
                }
            }
            return intern(tops);
        });
    }

    private State intern(Set<Stack> tops) {
        return states.computeIfAbsent(tops, State::new);
    }

    private Stack push(Rule rule, Stack rest) {
        return stacks.computeIfAbsent(new Cell(rule, rest), cell -> new Stack(rule, rest));
    }

    /** Adds all stacks that a stack stands for, each with a character on top. */
    private void expand(Stack stack, Set<Stack> tops) {
        List<Stack> left = new ArrayList<>(List.of(stack));
        Set<Stack> seen = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            Stack one = left.removeLast();
            if (!seen.add(one)) {
                continue;
            }
            switch (one.rule) {
                case null -> tops.add(one);
                case Sequence sequence -> {
                    Stack all = one.rest;
                    for (Rule part : sequence.parts.reversed()) {
                        all = push(part, all);
                    }
                    left.add(all);
                }
                case Choice choice -> choice.choices.forEach(rule -> left.add(push(rule, one.rest)));
                case Named named -> left.add(push(named.rule, one.rest));
                case Repeat repeat -> {
                    if (repeat.least == 0) {
                        left.add(one.rest);
                    }
                    if (repeat.most > 0) {
                        int most = repeat.most == ANY ? ANY : repeat.most - 1;
                        Rule again = repeat(repeat.rule, Math.max(0, repeat.least - 1), most);
                        left.add(push(repeat.rule, push(again, one.rest)));
                    }
                }
                default -> tops.add(one);
            }
        }
    }
}
