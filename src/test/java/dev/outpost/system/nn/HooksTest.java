package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Identity;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleDict;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ParameterDict;
import dev.outpost.nn.ParameterList;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests hooks of modules, and containers of parameters and modules. */
class HooksTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    @Test
    void forwardHooksSeeAndChangeInputAndOutput() {
        Identity module = new Identity();
        Runnable removeFirst = module.registerForwardPreHook((self, input) -> input.add(1));
        Runnable removeSecond = module.registerForwardHook((self, input, output) -> output.mul(input));
        module.registerForwardHook((self, input, output) -> null);
        Tensor input = machine.tensor(new double[] {1, 2});
        Closeness.assertClose(new double[] {4, 9}, module.call(input));
        removeFirst.run();
        Closeness.assertClose(new double[] {1, 4}, module.call(input));
        removeSecond.run();
        Closeness.assertClose(new double[] {1, 2}, module.call(input));
    }

    @Test
    void containersCallTheHooksOfTheirModules() {
        ReLU relu = new ReLU();
        Sequential net = new Sequential(new Identity(), relu);
        List<Module> seen = new ArrayList<>();
        relu.registerForwardHook((module, input, output) -> {
            seen.add(module);
            return null;
        });
        net.call(machine.tensor(new double[] {-1}));
        assertEquals(List.of(relu), seen);
    }

    @Test
    void backwardHooksSeeOnlyTheirUseOfTheInput() {
        Identity module = new Identity();
        double[][] seen = new double[2][];
        module.registerFullBackwardHook((self, in, out) -> {
            seen[0] = in.toDoubleArray();
            seen[1] = out.toDoubleArray();
            return in.mul(10);
        });
        Tensor input = machine.tensor(new double[] {1, 2}).requiresGrad(true);
        module.call(input).mul(3).sum().add(input.sum()).backward();
        Closeness.assertClose(new double[] {31, 31}, input.grad());
        assertEquals(List.of(3.0, 3.0), List.of(seen[0][0], seen[0][1]));
        assertEquals(List.of(3.0, 3.0), List.of(seen[1][0], seen[1][1]));
    }

    @Test
    void backwardHooksLeaveAnInputWithoutGradientAlone() {
        Linear linear = new Linear(2, 2);
        linear.to(machine);
        linear.registerFullBackwardHook((self, in, out) -> {
            throw new AssertionError("no gradient of the input is asked for");
        });
        linear.call(machine.ones(1, 2)).sum().backward();
        assertTrue(linear.weight().grad() != null);
    }

    @Test
    void applyVisitsChildrenBeforeTheirParents() {
        Sequential net = new Sequential(new Linear(2, 2), new ReLU());
        List<String> visited = new ArrayList<>();
        net.apply(module -> visited.add(module.getClass().getSimpleName()));
        assertEquals(List.of("Linear", "ReLU", "Sequential"), visited);
    }

    @Test
    void listsAndDictionariesRegisterWhatTheyHold() {
        Parameter one = new Parameter(Shape.of(2), DType.FLOAT32, Init.ones());
        Parameter two = new Parameter(Shape.of(3), DType.FLOAT32, Init.zeros());
        ParameterList list = new ParameterList(List.of(one)).add(two);
        assertEquals(List.of("0", "1"), List.copyOf(list.namedParameters().keySet()));
        assertEquals(two, list.get(1));
        assertEquals(
                "ParameterList: there are 2 parameters, got index 2",
                assertThrows(OpException.class, () -> list.get(2)).getMessage());
        var named = new LinkedHashMap<String, Parameter>();
        named.put("scale", one);
        ParameterDict dict = new ParameterDict(named).put("shift", two);
        assertEquals(
                List.of("scale", "shift"), List.copyOf(dict.namedParameters().keySet()));
        assertThrows(OpException.class, () -> dict.get("bias"));
        var modules = new LinkedHashMap<String, Linear>();
        modules.put("query", new Linear(2, 2));
        ModuleDict<Linear> layers = new ModuleDict<>(modules);
        assertEquals(
                List.of("query.weight", "query.bias"),
                List.copyOf(layers.namedParameters().keySet()));
        assertEquals(2, layers.get("query").weight().shape().size(0));
        assertThrows(OpException.class, () -> layers.get("key"));
    }
}
