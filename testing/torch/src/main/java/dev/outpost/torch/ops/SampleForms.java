package dev.outpost.torch.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.vocabulary.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The samples of PyTorch's test suite whose call is not the op of the sample's name with the sample's arguments. */
final class SampleForms {
    /** A sample's call. */
    private interface Form {
        List<Tensor> call(RemoteMachine machine, String op, List<Object> args, Map<String, Object> kwargs);
    }

    private static final Form SECOND_FIRST =
            (machine, op, args, kwargs) -> Ops.call(machine, op, swapped(args), kwargs);

    private static final Map<String, Form> BY_OP = Map.ofEntries(
            Map.entry("where", SECOND_FIRST),
            Map.entry("polygamma", SECOND_FIRST),
            Map.entry("special.polygamma", SECOND_FIRST),
            Map.entry("nn.functional.embedding", SECOND_FIRST),
            Map.entry("nn.functional.embedding_bag", SECOND_FIRST),
            Map.entry("einsum", SECOND_FIRST),
            Map.entry("zero_", SampleForms::intoCopy),
            Map.entry("resize_", SampleForms::intoCopy),
            Map.entry("resize_as_", SampleForms::intoCopy),
            Map.entry("svd_lowrank", SampleForms::ofProduct),
            Map.entry("pca_lowrank", SampleForms::ofProduct));

    /** The sets of samples that replace the op's own samples. */
    private static final Map<String, Form> BY_VARIANT = Map.of(
            "linalg.pinv.singular", SampleForms::ofProduct,
            "linalg.lstsq.grad_oriented", SampleForms::firstOnly);

    private SampleForms() {}

    static List<Tensor> call(
            RemoteMachine machine, String op, String variant, List<Object> args, Map<String, Object> kwargs) {
        Form form = BY_VARIANT.getOrDefault(op + "." + variant, BY_OP.getOrDefault(op, Ops::call));
        return form.call(machine, op, args, kwargs);
    }

    private static List<Object> swapped(List<Object> args) {
        if (args.size() < 2) {
            return args;
        }
        List<Object> swapped = new ArrayList<>(args);
        swapped.set(0, args.get(1));
        swapped.set(1, args.get(0));
        return swapped;
    }

    private static List<Tensor> firstOnly(
            RemoteMachine machine, String op, List<Object> args, Map<String, Object> kwargs) {
        List<Tensor> results = Ops.call(machine, op, args, kwargs);
        results.stream().skip(1).distinct().forEach(Tensor::close);
        return results.subList(0, 1);
    }

    private static List<Tensor> intoCopy(
            RemoteMachine machine, String op, List<Object> args, Map<String, Object> kwargs) {
        List<Object> copied = new ArrayList<>(args);
        copied.set(0, ((Tensor) args.getFirst()).clone());
        return Ops.call(machine, op, copied, kwargs);
    }

    /** Calls an op whose sample has two thin matrices; their product is the operand. */
    private static List<Tensor> ofProduct(
            RemoteMachine machine, String op, List<Object> args, Map<String, Object> kwargs) {
        List<Object> multiplied = new ArrayList<>(args.subList(1, args.size()));
        multiplied.set(0, ((Tensor) args.getFirst()).matmul(((Tensor) args.get(1)).mT()));
        return Ops.call(machine, op, multiplied, kwargs);
    }
}
