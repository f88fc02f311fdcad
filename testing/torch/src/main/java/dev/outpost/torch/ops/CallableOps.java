package dev.outpost.torch.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.vocabulary.Ops;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The API's ops by PyTorch's names, called like in its test suite. */
public final class CallableOps {
    /** The arguments for the device and layout of PyTorch's result, which are not compared. */
    private static final Set<String> IRRELEVANT = Set.of("device", "requires_grad", "layout");

    public boolean knows(String op) {
        return Ops.knows(op);
    }

    /** Returns PyTorch's names of all ops. */
    public Set<String> names() {
        return Ops.names();
    }

    /** Calls an op, which must read every argument. An op in place writes into its argument, not into a copy. */
    public List<Tensor> call(
            RemoteMachine machine,
            Function<TensorArgument, Tensor> tensors,
            String op,
            List<Argument> arguments,
            Map<String, Argument> keywords) {
        boolean isWrite = op.endsWith("_");
        return isWrite
                ? Ops.call(machine, op, new ArgumentValues(tensors).all(arguments), named(tensors, keywords))
                : callSample(machine, tensors, op, "", arguments, keywords);
    }

    /** Calls the op like PyTorch's test suite, for a sample of one of its sets. */
    static List<Tensor> callSample(
            RemoteMachine machine,
            Function<TensorArgument, Tensor> tensors,
            String op,
            String variant,
            List<Argument> arguments,
            Map<String, Argument> keywords) {
        return SampleForms.call(
                machine, op, variant, new ArgumentValues(tensors).all(arguments), named(tensors, keywords));
    }

    private static Map<String, Object> named(Function<TensorArgument, Tensor> tensors, Map<String, Argument> keywords) {
        ArgumentValues values = new ArgumentValues(tensors);
        Map<String, Object> named = new LinkedHashMap<>();
        keywords.forEach((name, argument) -> {
            if (!IRRELEVANT.contains(name)) {
                named.put(name, values.of(argument));
            }
        });
        return named;
    }
}
