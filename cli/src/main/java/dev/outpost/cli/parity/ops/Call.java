package dev.outpost.cli.parity.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.cli.parity.Argument;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.cli.parity.ParityCase;
import dev.outpost.types.DType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A call of the pack as a row of the table reads it: arguments by place or by name, with defaults. */
final class Call {
    /** They say where and how PyTorch keeps its result, which is not what is compared. */
    private static final Set<String> IRRELEVANT = Set.of("device", "requires_grad", "layout");

    private final String op;
    private final String variant;
    private final List<Argument> arguments;
    private final Map<String, Argument> keywords;
    private final RemoteMachine machine;
    private final Function<TensorArgument, Tensor> tensors;
    private final Set<Object> read = new HashSet<>(IRRELEVANT);

    Call(ParityCase parityCase, RemoteMachine machine, Function<TensorArgument, Tensor> tensors) {
        this.op = parityCase.op();
        this.variant = parityCase.variant();
        this.arguments = parityCase.arguments();
        this.keywords = parityCase.keywordArguments();
        this.machine = machine;
        this.tensors = tensors;
    }

    String op() {
        return op;
    }

    /** The sample set. It never changes what is called, but it may what of that is kept. */
    String variant() {
        return variant;
    }

    RemoteMachine machine() {
        return machine;
    }

    /** The first argument. */
    Tensor self() {
        return at(0, "input").tensor();
    }

    /** The second argument. */
    Tensor other() {
        return at(1, "other").tensor();
    }

    /** The parameter at that place, or of that name; it may not be given. */
    Given at(int place, String name) {
        boolean isPlaced = place < arguments.size();
        read.add(isPlaced ? (Object) place : name);
        return given(name, isPlaced ? arguments.get(place) : keywords.get(name));
    }

    /** A parameter that is only given by its name. */
    Given named(String name) {
        return at(Integer.MAX_VALUE, name);
    }

    /** All arguments from that place on: as one list, or one by one. */
    List<Given> rest(int place) {
        if (arguments.size() == place + 1 && at(place, "").isList()) {
            return at(place, "").items();
        }
        return IntStream.range(place, arguments.size())
                .mapToObj(index -> at(index, ""))
                .toList();
    }

    /** All arguments. */
    List<Given> all() {
        return IntStream.range(0, arguments.size())
                .mapToObj(index -> at(index, ""))
                .toList();
    }

    DType dtype(DType otherwise) {
        return named("dtype").dtype(otherwise);
    }

    Given given(String name, Argument argument) {
        return new Given(this, name, argument);
    }

    Tensor tensor(TensorArgument argument) {
        return tensors.apply(argument);
    }

    /** An argument that no row has read would be one that was ignored. */
    void requireAllRead() {
        IntStream.range(0, arguments.size()).forEach(this::requireRead);
        keywords.keySet().forEach(this::requireRead);
    }

    private void requireRead(Object argument) {
        if (!read.contains(argument)) {
            throw new UnmappedFormException(op, "argument " + argument + " is not read");
        }
    }
}
