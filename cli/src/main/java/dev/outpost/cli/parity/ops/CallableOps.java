package dev.outpost.cli.parity.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.cli.parity.Argument;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.cli.parity.ParityCase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The API's ops by PyTorch's names, those that write in place among them. */
public final class CallableOps {
    private final OpTable table = OpTable.ofAllFamilies();
    private final OpTable writes = OpTable.ofWrites();

    public boolean knows(String op) {
        return find(op) != null;
    }

    /** PyTorch's names of all ops. */
    public Set<String> names() {
        return Stream.of(table, writes).flatMap(OpTable::names).collect(Collectors.toSet());
    }

    private ParityOp find(String op) {
        ParityOp write = writes.find(op);
        return write == null ? table.find(op) : write;
    }

    /** Calls an op; every argument has to be one that it reads. */
    public List<Tensor> call(
            RemoteMachine machine,
            Function<TensorArgument, Tensor> tensors,
            String op,
            List<Argument> arguments,
            Map<String, Argument> keywords) {
        ParityCase asCase = new ParityCase(op, op, "", arguments, keywords, List.of(), Map.of(), List.of(), false, "");
        Call call = new Call(asCase, machine, tensors);
        List<Tensor> results = find(op).compute(call);
        call.requireAllRead();
        return results;
    }
}
