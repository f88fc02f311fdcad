package dev.outpost.system.javadoc;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.Index;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.MultiheadAttention;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The calls that the Javadoc of the important methods says are refused, are refused where they are made. */
class DocumentedErrorsTest {
    private static RemoteMachine machine;
    private static Tensor matrix;
    private static Tensor vector;
    private static Tensor whole;
    private static Tensor truth;
    private static Tensor empty;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
        matrix = machine.zeros(2, 3);
        vector = machine.zeros(4);
        whole = machine.arange(4);
        truth = machine.ones(DType.BOOL, 4);
        empty = machine.zeros(0);
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    private static void refused(Executable... calls) {
        for (int call = 0; call < calls.length; call++) {
            assertThrows(OpException.class, calls[call], "call " + call);
        }
    }

    @Test
    void creation() {
        refused(
                () -> machine.tensor(new float[] {1, 2}, 3),
                () -> HostTensor.of(new float[] {1, 2}, 3),
                () -> machine.zeros(-1),
                () -> machine.ones(-1),
                () -> machine.full(300, DType.INT8, 2),
                () -> machine.zeros(DType.INT8, 2).fullLike(300),
                () -> machine.arange(-1),
                () -> machine.linspace(0, 1, -1),
                () -> machine.randint(3, 3, 2),
                () -> machine.randperm(-1));
    }

    @Test
    void arithmetic() {
        refused(
                () -> matrix.add(vector),
                () -> matrix.sub(vector),
                () -> truth.sub(truth),
                () -> matrix.mul(vector),
                () -> matrix.div(vector),
                () -> matrix.remainder(vector),
                () -> whole.pow(-1),
                () -> matrix.maximum(vector),
                () -> truth.neg(),
                () -> truth.abs(),
                () -> truth.round(),
                () -> vector.clamp((Number) null, (Number) null),
                () -> whole.to(DType.INT8).clamp(null, 300),
                () -> vector.maskedFill(whole, 1),
                () -> whole.to(DType.INT8).maskedFill(truth, 300),
                () -> matrix.eq(vector),
                () -> matrix.gt(vector),
                () -> vector.allclose(vector.float64()));
    }

    @Test
    void tensorsOfTwoMachines() {
        try (RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            refused(() -> vector.add(other.zeros(4)));
        }
    }

    @Test
    void reductions() {
        refused(
                () -> matrix.sum(2),
                () -> matrix.sum(0, 0),
                () -> empty.max(0),
                () -> empty.argmax(),
                () -> whole.mean(),
                () -> matrix.mean(2),
                () -> whole.var(),
                () -> whole.std(),
                () -> whole.norm(),
                () -> vector.cumsum(1),
                () -> vector.topk(5));
    }

    @Test
    void shapes() {
        refused(
                () -> matrix.view(5),
                () -> matrix.t().view(6),
                () -> matrix.reshape(5),
                () -> matrix.permute(0, 0),
                () -> matrix.transpose(0, 2),
                () -> vector.unsqueeze(3),
                () -> vector.expand(5),
                () -> vector.narrow(0, 2, 3),
                () -> vector.select(0, 4),
                () -> vector.slice(0, 0, 4, 0),
                () -> vector.chunk(0, 0),
                () -> matrix.repeat(2),
                () -> matrix.repeat(2, -1),
                () -> vector.tril(),
                () -> vector.pad(0, 1),
                () -> vector.pad(0, 1, 1, 1, 1),
                () -> Tensors.cat(List.of(), 0),
                () -> Tensors.cat(matrix, machine.zeros(2, 4)),
                () -> Tensors.stack(vector, empty),
                () -> Tensors.stack(List.of(), 0),
                () -> matrix.size(2));
    }

    @Test
    void indices() {
        Tensor index = machine.zeros(DType.INT64, 2, 2);
        refused(
                () -> vector.get(Index.at(0), Index.at(0)),
                () -> vector.get(Index.at(4)),
                () -> whole.to(DType.INT8).set(300, Index.at(0)),
                () -> vector.gather(0, index),
                () -> matrix.gather(0, matrix),
                () -> matrix.indexSelect(0, index),
                () -> matrix.indexSelect(0, vector),
                () -> vector.maskedSelect(vector));
    }

    @Test
    void products() {
        refused(
                () -> machine.scalar(1.0).matmul(vector),
                () -> matrix.matmul(matrix),
                () -> matrix.matmul(machine.zeros(DType.FLOAT64, 3, 2)),
                () -> machine.zeros(2, 2, 2).matmul(machine.zeros(3, 2, 2)),
                () -> matrix.mm(vector),
                () -> matrix.bmm(matrix),
                () -> machine.zeros(2, 2, 2).bmm(machine.zeros(1, 2, 2)),
                () -> matrix.dot(vector),
                () -> vector.dot(machine.zeros(3)),
                () -> vector.einsum("i->?"),
                () -> vector.einsum("i,i->", machine.zeros(3)),
                () -> vector.einsum("i,j->"),
                () -> vector.softmax(1),
                () -> Functional.linear(machine.zeros(1, 2), matrix, null),
                () -> Linalg.solve(matrix, machine.zeros(2)),
                () -> Linalg.inv(matrix),
                () -> Linalg.det(matrix),
                () -> Linalg.inv(machine.zeros(DType.INT64, 2, 2)));
        refused(() -> new MultiheadAttention(10, 3));
        Linear layer = new Linear(3, 2);
        layer.to(machine);
        refused(() -> layer.forward(vector), () -> layer.forward(machine.zeros(DType.FLOAT64, 1, 3)));
    }

    @Test
    void writes() {
        Tensor leaf = machine.zeros(2).requiresGrad(true);
        refused(
                () -> leaf.add_(1),
                () -> machine.arange(2).add_(0.5),
                () -> machine.zeros(2).copy_(machine.zeros(3)),
                () -> machine.zeros(DType.INT8, 2).fill_(300));
    }

    @Test
    void gradients() {
        refused(
                () -> machine.arange(2).requiresGrad(true),
                () -> machine.zeros(2).requiresGrad(true).mul(2).requiresGrad(true),
                () -> machine.zeros(2).registerHook(gradient -> gradient),
                () -> machine.zeros(2).requiresGrad(true).mul(2).backward(),
                () -> machine.zeros(2).sum().backward(),
                () -> vector.item(),
                () -> vector.itemDouble());
    }

    @Test
    void faultsAreThrownByTheNextRead() {
        Tensor outside = machine.tensor(new long[] {9});
        Tensor singular = machine.zeros(2, 2);
        for (Tensor lost : List.of(
                vector.gather(0, outside),
                vector.indexSelect(0, outside),
                Functional.embedding(outside, matrix),
                Linalg.inv(singular),
                Linalg.solve(singular, machine.zeros(2)))) {
            assertThrows(OutpostException.class, lost::toHost);
        }
    }

    @Test
    void modulesRefuseOtherNames() {
        Linear layer = new Linear(3, 2);
        layer.to(machine);
        assertThrows(
                OutpostException.class, () -> layer.loadStateDict(Map.of("other", HostTensor.of(new float[] {1}))));
    }
}
