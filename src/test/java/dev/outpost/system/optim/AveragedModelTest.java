package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Linear;
import dev.outpost.optim.AveragedModel;
import dev.outpost.optim.Averaging;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AveragedModelTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Linear model() {
        Linear model = new Linear(2, 1, false);
        model.to(machine);
        set(model, 5, 5);
        return model;
    }

    private static void set(Linear model, double first, double second) {
        GradMode.noGrad(() -> model.weight().tensor().copy_(machine.tensor(new double[] {first, second}, 1, 2)));
    }

    private static double[] average(AveragedModel average) {
        return average.stateDict().get("module.weight").toDoubleArray();
    }

    @Test
    void allUpdatesWeighTheSameUnlessToldOtherwise() {
        Linear model = model();
        AveragedModel average = new AveragedModel(model);
        set(model, 1, 2);
        average.update();
        set(model, 3, 6);
        average.update();
        set(model, 5, 1);
        average.update();
        Closeness.assertClose(
                new double[] {3, 3}, machine.tensor(average(average)).float32());
        assertEquals(3L, average.stateDict().get("n_averaged").getLong(0));
    }

    @Test
    void aMovingAverageForgets() {
        Linear model = model();
        AveragedModel average = new AveragedModel(model, Averaging.ema(0.9), false);
        set(model, 1, 2);
        average.update();
        set(model, 2, 4);
        average.update();
        Closeness.assertClose(
                new double[] {1.1, 2.2}, machine.tensor(average(average)).float32());
        assertThrows(OpException.class, () -> Averaging.ema(1.1));
    }

    @Test
    void theModelComputesWithTheAverageInsideOfUsing() {
        Linear model = model();
        AveragedModel average = new AveragedModel(model, Averaging.ema(0.5), false);
        set(model, 1, 2);
        average.update();
        set(model, 3, 4);
        average.update();
        set(model, 7, 8);
        var ones = machine.ones(1, 2);
        Closeness.assertClose(new double[] {5}, average.using(() -> model.forward(ones)));
        Closeness.assertClose(new double[] {15}, model.forward(ones));
        assertThrows(
                IllegalStateException.class,
                () -> average.using(() -> {
                    throw new IllegalStateException();
                }));
        Closeness.assertClose(new double[] {15}, model.forward(ones));
    }

    @Test
    void aSavedAverageGoesOnWhereItWas() {
        Linear model = model();
        AveragedModel first = new AveragedModel(model);
        set(model, 1, 2);
        first.update();
        Map<String, HostTensor> saved = first.stateDict();
        AveragedModel second = new AveragedModel(model);
        second.loadStateDict(saved);
        set(model, 3, 4);
        second.update();
        Closeness.assertClose(
                new double[] {2, 3}, machine.tensor(average(second)).float32());
        saved.remove("module.weight");
        assertThrows(OutpostException.class, () -> second.loadStateDict(saved));
    }
}
