package dev.outpost.vocabulary;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The arguments of a call by name. A table row reads them by position or by name; defaults come from the op's signatures. */
final class OpCall {
    private final String op;
    private final Signatures signatures;
    private final List<?> arguments;
    private final Map<String, ?> keywords;
    private final @Nullable RemoteMachine machine;
    private final Set<Object> read = new HashSet<>();

    /** @param machine null if no argument determines it; only rows that create tensors need it */
    OpCall(
            String op,
            Signatures signatures,
            @Nullable RemoteMachine machine,
            List<?> arguments,
            Map<String, ?> keywords) {
        this.op = op;
        this.signatures = signatures;
        this.machine = machine;
        this.arguments = arguments;
        this.keywords = keywords;
    }

    String op() {
        return op;
    }

    RemoteMachine machine() {
        if (machine == null) {
            // The missing machine is the only fault to report, so all arguments count as read.
            IntStream.range(0, arguments.size()).forEach(read::add);
            read.addAll(keywords.keySet());
            throw new OpException(op, "no argument is a tensor, so the call has to name the machine");
        }
        return machine;
    }

    /** Returns the first argument. */
    Tensor self() {
        return at(0, "input").tensor();
    }

    /** Returns the second argument. */
    Tensor other() {
        return at(1, "other").tensor();
    }

    /**
     * Returns the argument at a position or, if the call has none there, the argument of a name. If both are missing,
     * the result stands for a missing argument.
     */
    BoundArgument at(int place, String name) {
        boolean isPlaced = place < arguments.size();
        read.add(isPlaced ? (Object) place : name);
        if (isPlaced) {
            return new BoundArgument(this, name, arguments.get(place), true);
        }
        return byName(signatures.nameAt(place, name));
    }

    private BoundArgument byName(String name) {
        read.add(name);
        boolean isNamed = keywords.containsKey(name);
        return new BoundArgument(this, name, isNamed ? keywords.get(name) : signatures.defaultOf(name), isNamed);
    }

    /** Returns the argument of a parameter, at its position in the signature or by name. */
    BoundArgument named(String name) {
        int place = keywords.containsKey(name) ? -1 : signatures.placeOf(name, arguments);
        return place < 0 ? byName(name) : at(place, name);
    }

    /** Returns all arguments from a position on. The call gives them as one list or one by one. */
    List<BoundArgument> rest(int place) {
        if (arguments.size() == place + 1 && at(place, "").isList()) {
            return at(place, "").items();
        }
        if (arguments.size() == place && keywords.size() == 1) {
            String name = keywords.keySet().iterator().next();
            return named(name).isList() ? named(name).items() : List.of(named(name));
        }
        return IntStream.range(place, arguments.size())
                .mapToObj(index -> at(index, ""))
                .toList();
    }

    /** Returns sizes from a position on. The call gives them as one list or one by one. */
    long[] sizesFrom(int place) {
        return rest(place).stream().mapToLong(BoundArgument::integer).toArray();
    }

    List<BoundArgument> all() {
        return IntStream.range(0, arguments.size())
                .mapToObj(index -> at(index, ""))
                .toList();
    }

    DType dtype(DType otherwise) {
        return named("dtype").dtype(otherwise);
    }

    /** True if the call has more than this number of positional arguments. */
    boolean hasMoreThan(int places) {
        return arguments.size() > places;
    }

    /** Returns the answer of a question about arguments, which then do not count as read. */
    boolean peeking(BooleanSupplier question) {
        Set<Object> before = Set.copyOf(read);
        try {
            return question.getAsBoolean();
        } finally {
            read.retainAll(before);
        }
    }

    /** True if every argument was read. */
    boolean isAllRead() {
        return IntStream.range(0, arguments.size()).allMatch(read::contains) && read.containsAll(keywords.keySet());
    }

    /** Counts as read each argument that could be missing: None, or the default of its parameter in this overload. */
    void readDefaults(Signature overload) {
        IntStream.range(0, arguments.size())
                .filter(place -> overload.isDefault(place, arguments.get(place)))
                .forEach(read::add);
        keywords.forEach((name, value) -> {
            if (overload.isDefault(name, value)) {
                read.add(name);
            }
        });
    }

    /** Fails if an argument was never read: it would be ignored silently. */
    void requireAllRead() {
        IntStream.range(0, arguments.size()).forEach(this::requireRead);
        keywords.keySet().forEach(this::requireRead);
    }

    private void requireRead(Object argument) {
        if (!read.contains(argument)) {
            throw new UnsupportedFormException(
                    op, argument instanceof Integer ? "argument " + argument : "argument '" + argument + "'");
        }
    }
}
