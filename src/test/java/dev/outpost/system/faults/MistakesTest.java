package dev.outpost.system.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.outpost.HostTensor;
import dev.outpost.Index;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.data.Subset;
import dev.outpost.data.TensorDataset;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.SGD;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Tests small mistakes of users: each message names the called op, the mistake, both values, and the remedy. */
@Tag("quick")
class MistakesTest {
    private static final String CLOSED =
            " was closed by close(): close it behind its last use, or use another handle, as" + " detach() makes";
    private static final String LEAF =
            "a leaf that requires gradients cannot be written in place, got tensor float32[2,3];"
                    + " write it inside of GradMode.noGrad, or use the op that makes a new tensor";
    private static final String MIXED =
            "tensors of two machines cannot be mixed, got mock-A100 and mock-T4; bring one over"
                    + " with toHost().to(machine), and a module with module.to(machine)";

    private static RemoteMachine machine;
    private static RemoteMachine other;
    private static Tensor matrix;
    private static Tensor whole;
    private static Tensor vector;

    private final List<DynamicTest> mistakes = new ArrayList<>();

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100").awaitReady();
        other = RemoteMachine.of("mock", "T4").awaitReady();
        matrix = machine.ones(2, 3);
        whole = machine.ones(DType.INT64, 2, 3);
        vector = machine.ones(4);
    }

    @AfterAll
    static void close() {
        machine.close();
        other.close();
    }

    @AfterEach
    void theMachineGoesOnWorking() {
        assertEquals(6.0, matrix.sum().itemDouble());
        assertEquals(2.0, other.ones(2).sum().itemDouble());
    }

    private void refuses(String message, Executable call) {
        mistakes.add(dynamicTest(
                message,
                () -> assertEquals(
                        message,
                        PlainNames.in(assertThrows(RuntimeException.class, call).getMessage()))));
    }

    @TestFactory
    Stream<DynamicTest> impossibleSizesAreRefused() {
        refuses("zeros: sizes must not be negative, got [-1]", () -> machine.zeros(-1));
        refuses("randn: sizes must not be negative, got [2, -3]", () -> machine.randn(2, -3));
        refuses("randperm: sizes must not be negative, got [-1]", () -> machine.randperm(-1));
        refuses("eye: sizes must not be negative, got [-2, -2]", () -> machine.eye(-2));
        refuses("tensor: sizes must not be negative, got [-1, 2]", () -> machine.tensor(new float[4], -1, 2));
        refuses("Linear: sizes must not be negative, got [2, -1]", () -> new Linear(-1, 2));
        refuses(
                "one_hot: sizes must not be negative, got [1, -3]",
                () -> Functional.oneHot(machine.tensor(new long[] {0}), -3));
        refuses(
                "zeros: the number of elements overflows, got [4294967296, 4294967296]",
                () -> machine.zeros(1L << 32, 1L << 32));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> missingArgumentsAreRefused() {
        refuses("full: the number must not be null", () -> machine.full(null, DType.FLOAT32, 2));
        refuses("zeros: the dtype must not be null", () -> machine.zeros((DType) null, 2));
        refuses("tensor: the array must not be null", () -> machine.tensor((float[]) null));
        refuses("tensor: the HostTensor must not be null", () -> machine.tensor((HostTensor) null));
        refuses("add: the other operand must not be null", () -> matrix.add((Tensor) null));
        refuses("add_: the number must not be null", () -> matrix.add_((Number) null));
        refuses("matmul: the other operand must not be null", () -> matrix.matmul(null));
        refuses("div: the mode must not be null", () -> matrix.div(matrix, null));
        refuses("to: the dtype must not be null", () -> matrix.to((DType) null));
        refuses("sum: the dtype must not be null", () -> matrix.sum((DType) null));
        refuses("gather: the index must not be null", () -> matrix.gather(1, null));
        refuses("get: element 0 of the indices must not be null", () -> matrix.get((Index) null));
        refuses("cat: the tensors must not be null", () -> Tensors.cat((List<Tensor>) null));
        refuses("cat: element 1 of the tensors must not be null", () -> Tensors.cat(Arrays.asList(matrix, null)));
        refuses("einsum: the equation must not be null", () -> matrix.einsum(null, matrix));
        refuses("copy_to: the array must not be null", () -> matrix.copyTo((float[]) null));
        refuses(
                "register_hook: the hook must not be null",
                () -> machine.ones(2).requiresGrad(true).registerHook(null));
        refuses("cross_entropy: the target must not be null", () -> Functional.crossEntropy(matrix, null));
        refuses("linear: the input must not be null", () -> placed().forward(null));
        refuses(
                "conv2d: the input must not be null",
                () -> new Conv2d(3, 4, 3).to(machine).forward(null));
        refuses(
                "batch_norm: the input must not be null",
                () -> new BatchNorm1d(4).to(machine).forward(null));
        refuses("mse_loss: the target must not be null", () -> Functional.mseLoss(matrix, null));
        refuses("mse_loss: the reduction must not be null", () -> Functional.mseLoss(matrix, matrix, null));
        refuses("copy_: the source must not be null", () -> matrix.copy_(null));
        refuses("reshape: the shape must not be null", () -> matrix.reshape((long[]) null));
        refuses("inv: the matrix must not be null", () -> Linalg.inv(null));
        refuses("to: the machine must not be null", () -> new Linear(2, 2).to((RemoteMachine) null));
        refuses("Sequential: module 1 must not be null", () -> new Sequential(new Linear(2, 2), null));
        refuses("SGD: the parameters must not be null", () -> new SGD((List<Parameter>) null, 0.1));
        refuses("load_state_dict: the state must not be null", () -> placed().loadStateDict(null));
        refuses("load_state_dict: the value of weight must not be null", () -> {
            Map<String, HostTensor> state = new LinkedHashMap<>(placed().stateDict());
            state.put("weight", null);
            placed().loadStateDict(state);
        });
        refuses("program: the function must not be null", () -> machine.program(null));
        refuses(
                "call: element 0 of the inputs must not be null",
                () -> machine.program(List::copyOf).call((Tensor) null));
        refuses(
                "call: the list that the program's function answers must not be null",
                () -> machine.program(inputs -> null).call(matrix));
        refuses("RemoteMachine.of: the GPU must not be null", () -> RemoteMachine.of("mock", null));
        refuses("option: the value of engine must not be null", () -> new MachineOptions().option("engine", null));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> mismatchedDtypesAreRefused() {
        refuses(
                "matmul: dtypes differ, got float32 and int64; cast the int64 one with to(DType.FLOAT32)",
                () -> matrix.matmul(whole.t()));
        refuses(
                "bmm: dtypes differ, got float16 and bfloat16; cast both with to(DType.FLOAT32)",
                () -> machine.ones(DType.FLOAT16, 1, 2, 2).bmm(machine.ones(DType.BFLOAT16, 1, 2, 2)));
        refuses(
                "linear: dtypes differ, got float64 and float32; cast the float32 one with to(DType.FLOAT64)",
                () -> placed().forward(machine.ones(DType.FLOAT64, 1, 4)));
        refuses(
                "index_add: dtypes differ, got float32 and int64; cast the int64 one with to(DType.FLOAT32)",
                () -> matrix.indexAdd(0, machine.tensor(new long[] {0, 1}), whole));
        refuses(
                "gather: the index must be int64, got float32; cast with to(DType.INT64)",
                () -> matrix.gather(1, matrix));
        refuses(
                "masked_fill: the mask must be bool, got float32; cast with to(DType.BOOL)",
                () -> matrix.maskedFill(matrix, 1));
        refuses("std: needs a floating dtype, got int64[2,3]; cast it first, as with to(DType.FLOAT32)", whole::std);
        refuses(
                "div_: a float32 result cannot be stored in int64; use the op that makes a new tensor, or cast this one"
                        + " first with to(DType.FLOAT32)",
                () -> whole.div_(2));
        refuses(
                "cross_entropy: the target does not fit the input, got float32[2] and float32[2,3]; cast classes with"
                        + " to(DType.INT64)",
                () -> Functional.crossEntropy(matrix, machine.ones(2)));
        refuses(
                "embedding: integers and a matrix are needed, got float32[4] and float32[2,3]; cast the indices with"
                        + " to(DType.INT64)",
                () -> Functional.embedding(vector, matrix));
        refuses(
                "one_hot: the indices must be int64, got float32; cast with to(DType.INT64)",
                () -> Functional.oneHot(vector, 3));
        refuses("to: a module is cast to a floating dtype, got int64", () -> new Linear(2, 2).to(DType.INT64));
        return mistakes.stream();
    }

    /** Composed ops are refused by the name that was called. */
    @TestFactory
    Stream<DynamicTest> composedOpsRefuseBadArguments() {
        refuses("addmm: inner dimensions differ, got [2, 3] and [2, 3]", () -> vector.addmm(matrix, matrix));
        refuses("mse_loss: shapes do not broadcast, got [2, 3] and [4]", () -> Functional.mseLoss(matrix, vector));
        refuses(
                "masked_fill: shapes do not broadcast, got [5] and [2, 3]",
                () -> matrix.maskedFill(machine.ones(DType.BOOL, 5), 1));
        refuses(
                "max: nothing to choose from in dimension 0 of size 0, got [0]",
                () -> machine.zeros(0).max());
        refuses(
                "max: nothing to choose from in dimension 1 of size 0, got [2, 0]",
                () -> machine.zeros(2, 0).max(1));
        refuses("get: index 5 is out of range for dimension 0 of size 2", () -> matrix.get(Index.at(5)));
        refuses("quantile: the share must be between 0 and 1, got 2.0", () -> matrix.quantile(2));
        refuses(
                "add: shapes do not broadcast, got [2, 3] and [4]",
                () -> Scope.tidy(() -> matrix.add(vector).mul(2)));
        refuses(
                "linear: the weight does not fit the input, got [2, 4] and [1, 5]",
                () -> new Sequential(placed()).forward(machine.ones(1, 5)));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> badInPlaceWritesAreRefused() {
        Tensor leaf = machine.ones(2, 3).requiresGrad(true);
        refuses("add_: " + LEAF, () -> leaf.add_(1));
        refuses("copy_: " + LEAF, () -> leaf.copy_(matrix));
        refuses("zero_: " + LEAF, leaf::zero_);
        refuses("scatter_: " + LEAF, () -> leaf.scatter_(1, machine.zeros(DType.INT64, 2, 3), matrix));
        refuses("set: " + LEAF, () -> leaf.set(1, Index.at(0)));
        refuses(
                "add_: " + LEAF.replace("tensor float32", "0.weight float32"),
                () -> machine.ones(2, 3).requiresGrad(true).named("0.weight").add_(1));
        refuses(
                "mul_: a view whose elements share memory cannot be written, got [2, 3] strides [0, 1] offset 0; clone"
                        + " first",
                () -> machine.ones(1, 3).expand(2, 3).mul_(2));
        refuses(
                "add_: the result has shape [2, 3] and does not fit in place into [3]; use the op that makes a new"
                        + " tensor",
                () -> machine.ones(3).add_(matrix));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> closedTensorsAreRefused() {
        Tensor closed = machine.ones(2);
        closed.close();
        Tensor named = machine.ones(2).named("h");
        named.close();
        Tensor[] left = new Tensor[2];
        try (Scope scope = machine.scope()) {
            left[0] = machine.ones(2);
        }
        Scope.tidy(() -> {
            left[1] = machine.ones(3);
            return left[1].add(1);
        });
        refuses("add: the tensor float32[2]" + CLOSED, () -> closed.add(1));
        refuses("add: the tensor float32[2]" + CLOSED, () -> machine.ones(2).add(closed));
        refuses("softmax: the tensor float32[2]" + CLOSED, () -> closed.softmax(0));
        refuses("mse_loss: the tensor float32[2]" + CLOSED, () -> Functional.mseLoss(machine.ones(2), closed));
        refuses("to_float_array: the tensor h float32[2]" + CLOSED, named::toFloatArray);
        refuses(
                "call: the tensor float32[2]" + CLOSED,
                () -> machine.program(List::copyOf).call(closed));
        refuses(
                "add: the tensor float32[2] was closed with its scope: scope.keep(tensor) lets it live in the scope around"
                        + " it, or on its own where there is none",
                () -> left[0].add(1));
        refuses(
                "add: the tensor float32[3] was closed by Scope.tidy, of which only the answer stays: answer it, or make it"
                        + " outside",
                () -> left[1].add(1));
        refuses(
                "sum: the tensor float32[2,3] was made while a program was traced and has no value: return it from the"
                        + " program",
                () -> {
                    Tensor[] kept = new Tensor[1];
                    machine.program(inputs -> {
                                kept[0] = inputs.get(0).add(1);
                                return List.of(kept[0]);
                            })
                            .call(matrix);
                    kept[0].sum();
                });
        return mistakes.stream();
    }

    /** A program with another machine's tensor, or a copy of one, once ended the whole session. */
    @TestFactory
    Stream<DynamicTest> operandsOfTwoMachinesAreRefused() {
        refuses("add: " + MIXED, () -> matrix.add(other.ones(2, 3)));
        refuses("mse_loss: " + MIXED, () -> Functional.mseLoss(matrix, other.ones(2, 3)));
        refuses(
                "program: input 1 is on another machine, got mock-T4 for a program of mock-A100; bring it over with"
                        + " toHost().to(machine)",
                () -> machine.program(List::copyOf).call(matrix, other.ones(2)));
        refuses(
                "scan: input 0 is on another machine, got mock-T4 for a program of mock-A100; bring it over with"
                        + " toHost().to(machine)",
                () -> machine.scan(machine.program(inputs -> inputs), List.of(other.ones(2)), 3));
        refuses(
                "backward: " + MIXED,
                () -> machine.ones(2).requiresGrad(true).mul(2).backward(other.ones(2)));
        refuses("copy_: " + MIXED, () -> machine.ones(2).copy_(other.ones(2)));
        refuses("set: " + MIXED, () -> machine.ones(2, 3).set(other.ones(3), Index.at(0)));
        refuses("grad: " + MIXED, () -> machine.ones(2).requiresGrad(true).grad(other.ones(2)));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> badGradientCallsAreRefused() {
        Tensor leaf = machine.ones(2, 3).requiresGrad(true);
        refuses(
                "backward: only a scalar needs no gradient to start from, got [2, 3]; reduce it, as with sum(), or give a"
                        + " gradient of that shape",
                () -> leaf.mul(2).backward());
        String none =
                "backward: the tensor does not require gradients, got float32[]; call requiresGrad(true) on what it"
                        + " is computed from, outside of noGrad";
        refuses(none, () -> matrix.sum().backward());
        refuses(none, () -> GradMode.noGrad(() -> leaf.sum()).backward());
        refuses(
                "requires_grad: only a leaf can be told whether it requires gradients, got float32[2,3], which an op"
                        + " computed; detach() it first",
                () -> leaf.mul(2).requiresGrad(false));
        refuses(
                "register_hook: the tensor does not require gradients, got float32[2,3]",
                () -> matrix.registerHook(gradient -> gradient));
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> badTrainingCallsAreRefused() {
        String unplaced = "step: parameter weight was never placed on a machine, so it has no values to change; call"
                + " to(machine) on its module before the first step";
        refuses(unplaced, () -> new SGD(new Linear(2, 2).parameters(), 0.1).step());
        refuses(unplaced, () -> {
            List<Parameter> parameters = new ArrayList<>(placed().parameters());
            parameters.addAll(new Linear(2, 2).parameters());
            new SGD(parameters, 0.1).step();
        });
        refuses("optimizer: there is nothing to optimize, got no parameters", () -> new SGD(List.of(), 0.1));
        refuses("optimizer: the state lacks state.0.exp_avg", () -> {
            Linear model = placed();
            Optimizer plain = new SGD(model.parameters(), 0.1);
            model.forward(machine.ones(1, 4)).sum().backward();
            plain.step();
            new Adam(model.parameters(), 0.1).loadStateDict(plain.stateDict());
        });
        return mistakes.stream();
    }

    @TestFactory
    Stream<DynamicTest> badReadsAndDataAreRefused() {
        refuses(
                "item: only one element can be read as an item, got [2, 3]; index one, or read all with"
                        + " toFloatArray()",
                matrix::item);
        refuses(
                "item_long: only one element can be read as an item, got [0]; index one, or read all with"
                        + " toFloatArray()",
                () -> machine.zeros(0).itemLong());
        refuses(
                "Subset: the index is out of bounds for 4 rows, got 7",
                () -> new Subset<>(new TensorDataset(HostTensor.of(new float[4]), HostTensor.of(new long[4])), 7));
        refuses("highWaterBytes: expected nothing negative, got -1", () -> new MachineOptions().highWaterBytes(-1));
        return mistakes.stream();
    }

    private static Linear placed() {
        Linear model = new Linear(4, 2);
        model.to(machine);
        return model;
    }
}
