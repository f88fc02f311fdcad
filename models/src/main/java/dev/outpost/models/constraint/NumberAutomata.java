package dev.outpost.models.constraint;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/** Builds deterministic automata of JSON numbers in decimal notation. Numbers with bounds or {@code multipleOf} have no exponent. */
final class NumberAutomata {
    private static final int MAX_WORK = 100_000;
    private static final int MAX_STATES = 20_000;
    /**
     * The maximum number of digits before the decimal point, which is the number of digits of a long. A bound with more digits raises this
     * limit.
     */
    private static final int WHOLE_DIGITS = 19;

    private static final int FRACTION_DIGITS = 15;
    /** The maximum number of states for remainders, before minimization. */
    private static final int MAX_REMAINDERS = 40_000;
    /**
     * The maximum number of states for multiples with a bounded number of digits. If more states are needed, the
     * multiples are listed instead.
     */
    private static final int MAX_OF_MULTIPLES = 4_000;

    private static final int MAX_LISTED = 500;
    private static final int MIN_LISTED = 20;
    /** The approximate number of digits of all listed multiples together. */
    private static final int MAX_LISTED_DIGITS = 10_000;
    /** The maximum number of digits of a bound, or of a common multiple of several numbers. */
    private static final int MAX_DIGITS = 800;

    private static final String DIGITS = "(0|[1-9][0-9]*)";
    private static final String FRACTION = "(\\.[0-9]+)";

    private static final Automaton ANY = regex("-?" + DIGITS + FRACTION + "?([eE][-+]?[0-9]+)?");
    private static final Automaton ANY_INTEGER = regex("-?" + DIGITS + "(\\.0+)?([eE][+]?[0-9]+)?");
    private static final Automaton PLAIN = regex("-?" + DIGITS + FRACTION + "?");
    private static final Automaton PLAIN_INTEGER = regex("-?" + DIGITS + "(\\.0+)?");
    private static final Automaton SHORT =
            regex("-?" + digits(WHOLE_DIGITS) + fraction(FRACTION_DIGITS) + "?([eE][-+]?[0-9]{1,2})?");
    private static final Automaton SHORT_INTEGER = regex("-?" + digits(WHOLE_DIGITS));

    private static String digits(int max) {
        return "(0|[1-9][0-9]{0," + (max - 1) + "})";
    }

    private static String fraction(int max) {
        return "(\\.[0-9]{1," + max + "})";
    }

    /** Returns the automaton of numbers without an exponent, with enough digits for the bounds of the range. */
    private static Automaton plain(Range range) {
        int whole = WHOLE_DIGITS;
        int fraction = FRACTION_DIGITS;
        for (BigDecimal bound : Arrays.asList(range.least, range.most)) {
            if (bound != null) {
                whole = Math.max(whole, bound.precision() - bound.scale() + 1);
                fraction = Math.max(fraction, bound.scale() + 1);
            }
        }
        fraction = range.multipleOf == null ? fraction : Math.max(fraction, range.multipleOf.scale());
        return regex("-?" + digits(whole) + (range.isInteger ? "" : fraction(fraction) + "?"));
    }

    private NumberAutomata() {}

    private static Automaton regex(String expression) {
        return Operations.determinize(new RegExp(expression, RegExp.NONE).toAutomaton(), MAX_WORK);
    }

    /**
     * The constraints on a number.
     *
     * @param least null for no bound
     * @param isAbove true if the lower bound is exclusive
     * @param most null for no bound
     * @param isBelow true if the upper bound is exclusive
     * @param multipleOf above 0; null for any
     */
    record Range(
            boolean isInteger,
            @Nullable BigDecimal least,
            boolean isAbove,
            @Nullable BigDecimal most,
            boolean isBelow,
            @Nullable BigDecimal multipleOf) {
        static final Range ALL = new Range(false, null, false, null, false, null);

        Range integer() {
            return new Range(true, least, isAbove, most, isBelow, multipleOf);
        }

        Range atLeast(BigDecimal bound, boolean isExclusive) {
            int order = least == null ? 1 : bound.compareTo(least);
            return order < 0
                    ? this
                    : new Range(isInteger, bound, isExclusive || order == 0 && isAbove, most, isBelow, multipleOf);
        }

        Range atMost(BigDecimal bound, boolean isExclusive) {
            int order = most == null ? -1 : bound.compareTo(most);
            return order > 0
                    ? this
                    : new Range(isInteger, least, isAbove, bound, isExclusive || order == 0 && isBelow, multipleOf);
        }

        /** Returns the range with another factor. Multiples of both factors are the multiples of their least common multiple. */
        Range multipleOf(BigDecimal factor) {
            BigDecimal both = multipleOf == null ? factor : common(multipleOf, factor);
            if (both.precision() > MAX_DIGITS) {
                throw SchemaDocument.refusal(
                        "\"multipleOf\": numbers that hold together have at most " + MAX_DIGITS + " digits");
            }
            return new Range(isInteger, least, isAbove, most, isBelow, both);
        }

        boolean contains(BigDecimal value) {
            return (!isInteger || isWhole(value))
                    && (least == null || value.compareTo(least) >= (isAbove ? 1 : 0))
                    && (most == null || value.compareTo(most) <= (isBelow ? -1 : 0))
                    && (multipleOf == null || value.remainder(multipleOf).signum() == 0);
        }

        private Range simplified() {
            BigDecimal factor = multipleOf;
            if (factor != null && isInteger) {
                factor = common(factor, BigDecimal.ONE);
                factor = factor.compareTo(BigDecimal.ONE) == 0 ? null : factor;
            }
            return new Range(isInteger, least, isAbove, most, isBelow, factor);
        }
    }

    private static boolean isWhole(BigDecimal value) {
        return value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    }

    private static BigDecimal common(BigDecimal one, BigDecimal other) {
        int scale = Math.max(0, Math.max(one.scale(), other.scale()));
        BigInteger first = one.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
        BigInteger second = other.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
        return new BigDecimal(first.multiply(second).divide(first.gcd(second)), scale);
    }

    /** @param isEvery true to accept every notation without an exponent; false to bound the number of digits */
    static Automaton of(Range given, boolean isEvery, Effort effort) {
        Range range = given.simplified();
        if (range.least == null && range.most == null && range.multipleOf == null) {
            return isEvery ? range.isInteger ? ANY_INTEGER : ANY : range.isInteger ? SHORT_INTEGER : SHORT;
        }
        Automaton numbers = isEvery ? range.isInteger ? PLAIN_INTEGER : PLAIN : plain(range);
        if (range.least != null || range.most != null) {
            numbers = Deterministic.both(numbers, within(range), MAX_STATES, effort);
        }
        return range.multipleOf == null ? numbers : multiples(range, numbers, isEvery, effort);
    }

    /** Returns the automaton of all notations of a number without an exponent. */
    static Automaton equalTo(BigDecimal value, Effort effort) {
        return of(Range.ALL.atLeast(value, false).atMost(value, false), true, effort);
    }

    /** Returns the deterministic automaton of the numbers between the bounds. */
    private static Automaton within(Range range) {
        Automaton positive = Automata.makeAnyString();
        Automaton negative = Automata.makeAnyString();
        if (range.least != null) {
            positive = Operations.intersection(positive, atLeast(range.least, range.isAbove));
            negative = Operations.intersection(negative, atMost(range.least.negate(), range.isAbove));
        }
        if (range.most != null) {
            positive = Operations.intersection(positive, atMost(range.most, range.isBelow));
            negative = Operations.intersection(negative, atLeast(range.most.negate(), range.isBelow));
        }
        Automaton all =
                Operations.union(List.of(positive, Operations.concatenate(List.of(Automata.makeChar('-'), negative))));
        return Operations.determinize(Operations.removeDeadStates(all), MAX_WORK);
    }

    /** Returns the automaton of the unsigned numbers above a bound. */
    private static Automaton atLeast(BigDecimal bound, boolean isExclusive) {
        return bound.signum() < 0
                ? compared(BigDecimal.ZERO, false, true, true)
                : compared(bound, false, !isExclusive, true);
    }

    private static Automaton atMost(BigDecimal bound, boolean isExclusive) {
        return bound.signum() < 0 ? Automata.makeEmpty() : compared(bound, true, !isExclusive, false);
    }

    /** Returns the automaton of the unsigned decimal numbers below, equal to or above a bound, which is at least 0. */
    private static Automaton compared(BigDecimal bound, boolean below, boolean equal, boolean above) {
        String[] parts = bound.signum() == 0
                ? new String[] {"0"}
                : bound.stripTrailingZeros().toPlainString().split("\\.");
        return new Comparison(parts[0], parts.length == 1 ? "" : parts[1], below, equal, above).automaton();
    }

    /** Compares the digits of a number with the digits of a bound. */
    private static final class Comparison {
        private static final int BELOW = 0;
        private static final int EQUAL = 1;
        private static final int ABOVE = 2;

        private final String whole;
        private final String fraction;
        private final boolean[] wanted;
        private final Automaton automaton = new Automaton();
        /** The states by the number of digits read so far and the result of their comparison. */
        private final int[][] wholeStates;

        private final int[][] fractionStates;

        Comparison(String whole, String fraction, boolean below, boolean equal, boolean above) {
            this.whole = whole;
            this.fraction = fraction;
            wanted = new boolean[] {below, equal, above};
            wholeStates = new int[whole.length() + 2][3];
            fractionStates = new int[fraction.length() + 2][3];
        }

        Automaton automaton() {
            int start = automaton.createState();
            for (int read = 1; read <= whole.length() + 1; read++) {
                for (int order = BELOW; order <= ABOVE; order++) {
                    wholeStates[read][order] = automaton.createState();
                }
            }
            for (int read = 0; read <= fraction.length() + 1; read++) {
                for (int order = BELOW; order <= ABOVE; order++) {
                    fractionStates[read][order] = automaton.createState();
                }
            }
            digits(start, whole.charAt(0), EQUAL, wholeStates[1]);
            for (int read = 1; read <= whole.length() + 1; read++) {
                for (int order = BELOW; order <= ABOVE; order++) {
                    wholeDigits(read, order);
                }
            }
            for (int read = 0; read <= fraction.length() + 1; read++) {
                for (int order = BELOW; order <= ABOVE; order++) {
                    fractionDigits(read, order);
                }
            }
            automaton.finishState();
            return Operations.removeDeadStates(automaton);
        }

        private void digits(int from, char other, int order, int[] next) {
            if (order != EQUAL) {
                automaton.addTransition(from, next[order], '0', '9');
                return;
            }
            if (other > '0') {
                automaton.addTransition(from, next[BELOW], '0', other - 1);
            }
            automaton.addTransition(from, next[EQUAL], other);
            if (other < '9') {
                automaton.addTransition(from, next[ABOVE], other + 1, '9');
            }
        }

        private void wholeDigits(int read, int order) {
            int from = wholeStates[read][order];
            // A number with more digits is larger, and a number with fewer digits is smaller.
            int length = Integer.compare(read, whole.length());
            int soFar = length == 0 ? order : length > 0 ? ABOVE : BELOW;
            if (read < whole.length()) {
                digits(from, whole.charAt(read), order, wholeStates[read + 1]);
            } else {
                automaton.addTransition(from, wholeStates[whole.length() + 1][ABOVE], '0', '9');
            }
            automaton.addTransition(from, fractionStates[0][soFar], '.');
            automaton.setAccept(from, wanted[ended(0, soFar)]);
        }

        private void fractionDigits(int read, int order) {
            int from = fractionStates[read][order];
            char other = read < fraction.length() ? fraction.charAt(read) : '0';
            digits(from, other, order, fractionStates[Math.min(read + 1, fraction.length() + 1)]);
            automaton.setAccept(from, read > 0 && wanted[ended(read, order)]);
        }

        private int ended(int read, int order) {
            return order == EQUAL && read < fraction.length() ? BELOW : order;
        }
    }

    private static Automaton multiples(Range range, Automaton numbers, boolean isEvery, Effort effort) {
        BigDecimal factor = range.multipleOf.stripTrailingZeros();
        int scale = Math.max(0, factor.scale());
        BigInteger modulus = factor.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
        BigInteger remainders = modulus.multiply(BigInteger.valueOf(scale + 2L));
        if (remainders.compareTo(BigInteger.valueOf(MAX_REMAINDERS)) <= 0) {
            Automaton multiples = Deterministic.minimized(divisible(modulus.intValueExact(), scale), effort);
            try {
                int max = isEvery ? MAX_STATES : MAX_OF_MULTIPLES;
                return Deterministic.both(numbers, multiples, max, effort);
            } catch (Deterministic.TooManyStatesException tooMany) {
                // Continues with the list of multiples.
            }
        }
        List<BigDecimal> listed = counts(range, factor).stream()
                .map(count -> factor.multiply(new BigDecimal(count)))
                .filter(range::contains)
                .toList();
        return isEvery ? union(listed, effort) : texts(listed);
    }

    private static Automaton union(List<BigDecimal> numbers, Effort effort) {
        List<Automaton> all =
                numbers.stream().map(number -> equalTo(number, effort)).toList();
        return Operations.determinize(Operations.union(all), 10 * MAX_WORK);
    }

    private static Automaton texts(List<BigDecimal> numbers) {
        return Automata.makeStringUnion(numbers.stream()
                .map(number -> new BytesRef(number.stripTrailingZeros().toPlainString()))
                .sorted()
                .toList());
    }

    /** Returns factors of the multiples to list: those nearest to a bound, or to 0 if there is none. */
    private static List<BigInteger> counts(Range range, BigDecimal factor) {
        int digits = factor.precision() + Math.abs(factor.scale());
        int max = Math.clamp(MAX_LISTED_DIGITS / digits, MIN_LISTED, MAX_LISTED);
        BigInteger first = range.least != null
                ? range.least.divide(factor, 0, RoundingMode.CEILING).toBigInteger()
                : range.most != null
                        ? range.most
                                .divide(factor, 0, RoundingMode.FLOOR)
                                .toBigInteger()
                                .subtract(BigInteger.valueOf(max - 1))
                        : BigInteger.valueOf(-max / 2);
        List<BigInteger> counts = new ArrayList<>();
        for (int step = 0; step < max; step++) {
            counts.add(first.add(BigInteger.valueOf(step)));
        }
        return counts;
    }

    /**
     * Returns the automaton of the numbers that are divisible by {@code modulus / 10^scale}. A state holds the remainder of the digits so
     * far and the number of fraction digits.
     */
    private static Automaton divisible(int modulus, int scale) {
        Automaton automaton = new Automaton();
        int width = scale + 2;
        int start = automaton.createState();
        int unsigned = automaton.createState();
        int first = 2;
        for (int state = 0; state < modulus * width; state++) {
            automaton.createState();
        }
        automaton.addTransition(start, unsigned, '-');
        for (int from : new int[] {start, unsigned}) {
            for (int digit = 0; digit <= 9; digit++) {
                automaton.addTransition(from, first + digit % modulus * width, '0' + digit);
            }
        }
        // Column 0 is before the decimal point. Column 1 + n is after n digits of the fraction.
        for (int remainder = 0; remainder < modulus; remainder++) {
            long scaled = remainder;
            for (int digits = scale; digits >= 0; digits--) {
                int from = first + remainder * width + 1 + digits;
                automaton.setAccept(from, scaled % modulus == 0);
                scaled = scaled * 10 % modulus;
            }
            long whole = remainder;
            for (int each = 0; each < scale; each++) {
                whole = whole * 10 % modulus;
            }
            automaton.setAccept(first + remainder * width, whole % modulus == 0);
        }
        for (int remainder = 0; remainder < modulus; remainder++) {
            for (int column = 0; column < width; column++) {
                int from = first + remainder * width + column;
                if (column == 0) {
                    automaton.addTransition(from, from + 1, '.');
                }
                if (column == width - 1) {
                    automaton.addTransition(from, from, '0');
                    continue;
                }
                int behind = column == 0 ? 0 : column + 1;
                for (int digit = 0; digit <= 9; digit++) {
                    int next = (int) ((remainder * 10L + digit) % modulus);
                    automaton.addTransition(from, first + next * width + behind, '0' + digit);
                }
            }
        }
        automaton.finishState();
        return automaton;
    }
}
