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

/** The API's ops by PyTorch's names, called as its test suite calls them. */
public final class CallableOps {
    /** They say where and how PyTorch keeps its result, which is not what is compared. */
    private static final Set<String> IRRELEVANT = Set.of("device", "requires_grad", "layout");

    public boolean knows(String op) {
        return Ops.knows(op);
    }

    /** PyTorch's names of all ops. */
    public Set<String> names() {
        return Ops.names();
    }

    /** Calls an op; every argument has to be one that it reads. An op that writes in place writes into its argument, not into a copy. */
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

    /** As PyTorch's test suite calls the op, from a set of samples within it. */
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
