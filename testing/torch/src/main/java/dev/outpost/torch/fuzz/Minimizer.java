package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Makes a program smaller as long as it still shows its difference: fewer statements, smaller tensors, simpler elements. */
final class Minimizer {
    private static final int MAX_TRIALS = 400;

    private final Predicate<List<FuzzStatement>> shows;
    private int trials;

    Minimizer(Predicate<List<FuzzStatement>> shows) {
        this.shows = shows;
    }

    List<FuzzStatement> minimize(List<FuzzStatement> program) {
        List<FuzzStatement> smaller = program;
        List<FuzzStatement> before;
        do {
            before = smaller;
            smaller = withFewerStatements(smaller);
            smaller = withSmallerTensors(smaller);
            smaller = withPlainerTensors(smaller);
        } while (!smaller.equals(before) && trials < MAX_TRIALS);
        return smaller;
    }

    private boolean shows(List<FuzzStatement> candidate) {
        return trials++ < MAX_TRIALS && shows.test(candidate);
    }

    // ---- statements

    private List<FuzzStatement> withFewerStatements(List<FuzzStatement> program) {
        List<FuzzStatement> smaller = program;
        for (int chunk = Math.max(1, program.size() / 2); chunk >= 1; chunk /= 2) {
            for (int from = smaller.size() - chunk; from >= 0; from = Math.min(from, smaller.size()) - chunk) {
                List<FuzzStatement> candidate = without(smaller, from, from + chunk);
                if (candidate.size() < smaller.size() && shows(candidate)) {
                    smaller = candidate;
                }
            }
        }
        return smaller;
    }

    /** Removes some statements, and the statements that use their results. */
    static List<FuzzStatement> without(List<FuzzStatement> program, int from, int to) {
        Set<String> missing = new HashSet<>();
        List<FuzzStatement> rest = new ArrayList<>();
        for (int index = 0; index < program.size(); index++) {
            FuzzStatement statement = program.get(index);
            boolean isDropped = index >= from && index < to
                    || statement.uses().map(FuzzStatement::variable).anyMatch(missing::contains);
            if (isDropped) {
                missing.add(statement.name());
            } else {
                rest.add(statement);
            }
        }
        return rest;
    }

    // ---- literals

    private static List<FuzzStatement> withLiterals(List<FuzzStatement> program, UnaryOperator<Literal> change) {
        return program.stream()
                .map(statement -> statement instanceof Literal literal ? change.apply(literal) : statement)
                .toList();
    }

    private List<FuzzStatement> tried(List<FuzzStatement> program, UnaryOperator<Literal> change) {
        List<FuzzStatement> candidate = withLiterals(program, change);
        return !candidate.equals(program) && shows(candidate) ? candidate : program;
    }

    /** Shrinks all dimensions of one size together, so that shapes still fit each other; then each dimension separately. */
    private List<FuzzStatement> withSmallerTensors(List<FuzzStatement> program) {
        List<FuzzStatement> smaller = program;
        for (long size : sizes(program)) {
            for (long target : new long[] {1, 2, size - 1}) {
                if (target >= 1 && target < size) {
                    smaller = tried(smaller, literal -> cut(literal, -1, size, target));
                }
            }
        }
        for (Literal literal : literals(smaller)) {
            for (int dim = 0; dim < literal.value().shape().rank(); dim++) {
                int place = dim;
                smaller = tried(
                        smaller,
                        other -> other.name().equals(literal.name())
                                ? cut(other, place, other.value().shape().size(place), 1)
                                : other);
            }
        }
        return smaller;
    }

    private static List<Literal> literals(List<FuzzStatement> program) {
        return program.stream()
                .filter(Literal.class::isInstance)
                .map(Literal.class::cast)
                .toList();
    }

    private static List<Long> sizes(List<FuzzStatement> program) {
        return literals(program).stream()
                .flatMapToLong(literal -> Arrays.stream(literal.value().shape().toArray()))
                .filter(size -> size > 1)
                .distinct()
                .sorted()
                .boxed()
                .toList()
                .reversed();
    }

    /** @param dim the dimension, or -1 for each that has the size */
    private static Literal cut(Literal literal, int dim, long size, long target) {
        Shape shape = literal.value().shape();
        long[] sizes = shape.toArray();
        for (int index = 0; index < sizes.length; index++) {
            boolean isMeant = dim == index || dim < 0 && sizes[index] == size;
            sizes[index] = isMeant ? Math.min(sizes[index], target) : sizes[index];
        }
        return new Literal(literal.name(), corner(literal.value(), Shape.of(sizes)), literal.requiresGrad());
    }

    /** Keeps the elements with the smallest indices. */
    private static HostTensor corner(HostTensor value, Shape target) {
        int width = value.dtype().bytes();
        byte[] bytes = new byte[Math.toIntExact(target.elements() * width)];
        for (int element = 0; element < target.elements(); element++) {
            long source = 0;
            long rest = element;
            long stride = 1;
            for (int dim = target.rank() - 1; dim >= 0; dim--) {
                source += rest % target.size(dim) * stride;
                rest /= target.size(dim);
                stride *= value.shape().size(dim);
            }
            System.arraycopy(value.bytes(), Math.toIntExact(source * width), bytes, element * width, width);
        }
        return HostTensor.ofBytes(value.dtype(), target, bytes);
    }

    private List<FuzzStatement> withPlainerTensors(List<FuzzStatement> program) {
        List<FuzzStatement> smaller = program;
        for (Literal literal : literals(program)) {
            for (long plain : new long[] {0, 1}) {
                smaller = tried(smaller, other -> other.name().equals(literal.name()) ? filled(other, plain) : other);
            }
            smaller = tried(
                    smaller,
                    other -> other.name().equals(literal.name())
                            ? new Literal(other.name(), other.value(), false)
                            : other);
        }
        return smaller;
    }

    private static Literal filled(Literal literal, long plain) {
        Shape shape = literal.value().shape();
        long[] values = IntStream.range(0, Math.toIntExact(shape.elements()))
                .mapToLong(index -> plain)
                .toArray();
        HostTensor filled =
                HostTensor.of(values, shape.toArray()).to(literal.value().dtype());
        boolean isPlain = filled.equals(literal.value());
        boolean isPlainer = isPlain || plain == 1 && isZero(literal.value());
        return isPlainer ? literal : new Literal(literal.name(), filled, literal.requiresGrad());
    }

    private static boolean isZero(HostTensor value) {
        return IntStream.range(0, Math.toIntExact(value.shape().elements()))
                .allMatch(index -> value.getDouble(index) == 0);
    }
}
