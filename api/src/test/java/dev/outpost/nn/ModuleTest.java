package dev.outpost.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ModuleTest {
    /** Two layers around a shared parameter and one of its own. */
    private static final class Block extends Module {
        private final Parameter scale = parameter("scale", Init.ones(), 4);
        private final Linear inner = register("inner", new Linear(4, 4));
        private final Linear outer = register("outer", new Linear(4, 4, false));

        @Override
        public Tensor forward(Tensor x) {
            return outer.forward(inner.forward(x)).mul(scale.tensor());
        }
    }

    private final Sequential classifier = new Sequential(new Linear(64, 128), new ReLU(), new Linear(128, 10));

    @Test
    void printsAsPyTorchDoes() {
        assertEquals("""
                Sequential(
                  (0): Linear(in_features=64, out_features=128, bias=True)
                  (1): ReLU()
                  (2): Linear(in_features=128, out_features=10, bias=True)
                )""", classifier.toString());
    }

    @Test
    void nestedModulesAreIndented() {
        Module model = new Sequential(new Dropout(0.1), new Sequential(new LayerNorm(8), new Softmax(-1)));
        assertEquals("""
                Sequential(
                  (0): Dropout(p=0.1, inplace=False)
                  (1): Sequential(
                    (0): LayerNorm((8,), eps=1e-05, elementwise_affine=True, bias=True)
                    (1): Softmax(dim=-1)
                  )
                )""", model.toString());
    }

    @Test
    void parametersHaveDottedNamesInTheOrderOfRegistration() {
        assertEquals(
                List.of("0.weight", "0.bias", "2.weight", "2.bias"),
                List.copyOf(classifier.namedParameters().keySet()));
        assertEquals("2.bias", classifier.parameters().getLast().name());
    }

    @Test
    void aModulesOwnParametersComeBeforeItsChildrens() {
        assertEquals(
                List.of("scale", "inner.weight", "inner.bias", "outer.weight"),
                List.copyOf(new Block().namedParameters().keySet()));
    }

    @Test
    void namesAreTheOutermostModules() {
        Block block = new Block();
        assertEquals("inner.bias", block.inner.bias().name());
        SequencedMap<String, Module> named = new LinkedHashMap<>();
        named.put("first", block);
        Sequential outermost = new Sequential(named);
        assertEquals("first.inner.bias", block.inner.bias().name());
        assertEquals(
                List.of("first.scale"),
                List.of(outermost.parameters().getFirst().name()));
    }

    @Test
    void aSharedModuleCountsOnceAndIsSavedUnderEveryName() {
        Linear shared = new Linear(2, 2, false);
        shared.loadStateDict(Map.of("weight", HostTensor.of(new float[4], 2, 2)));
        Sequential model = new Sequential(shared, shared);
        assertEquals(1, model.parameters().size());
        assertEquals(1, model.children().size());
        assertEquals(
                List.of("0.weight", "1.weight"), List.copyOf(model.stateDict().keySet()));
    }

    @Test
    void shapesAreKnownBeforeThereIsAMachine() {
        Parameter weight = classifier.parameters().getFirst();
        assertEquals(Shape.of(128, 64), weight.shape());
        assertEquals(DType.FLOAT32, weight.dtype());
        assertFalse(weight.isPlaced());
        classifier.to(DType.FLOAT64);
        assertEquals(DType.FLOAT64, weight.dtype());
    }

    @Test
    void aParameterWithoutAMachineSaysWhatToDo() {
        Parameter weight = classifier.parameters().getFirst();
        assertMessage("parameter 0.weight: it is on no machine yet; call to(machine)", weight::tensor);
        assertMessage("parameter 0.weight: it is on no machine yet; call to(machine)", classifier::stateDict);
    }

    @Test
    void integerBuffersKeepTheirDType() {
        BatchNorm1d norm = new BatchNorm1d(3);
        norm.to(DType.FLOAT16);
        assertEquals(
                List.of(DType.FLOAT16, DType.FLOAT16, DType.INT64),
                norm.buffers().stream().map(ModuleTensor::dtype).toList());
    }

    @Test
    void modesReachEveryModule() {
        assertTrue(classifier.isTraining());
        classifier.eval();
        assertTrue(classifier.modules().stream().noneMatch(Module::isTraining));
        classifier.train();
        assertTrue(classifier.modules().stream().allMatch(Module::isTraining));
    }

    @Test
    void applyVisitsChildrenFirst() {
        List<String> visited = new ArrayList<>();
        new Block().apply(module -> visited.add(module.typeName()));
        assertEquals(List.of("Linear", "Linear", "Block"), visited);
    }

    @Test
    void requiresGradReachesEveryParameter() {
        classifier.requiresGrad(false);
        assertTrue(classifier.parameters().stream().noneMatch(Parameter::requiresGrad));
    }

    @Test
    void namesMustBeNewAndPlain() {
        SequencedMap<String, Module> dotted = new LinkedHashMap<>();
        dotted.put("a.b", new ReLU());
        assertMessage("register: a name must not be empty or hold a dot, got \"a.b\"", () -> new Sequential(dotted));
        assertMessage(
                "register: Linear already has something called weight",
                () -> new Linear(1, 1).parameter("weight", Init.ones(), 1));
    }

    @Test
    void aModuleOfSeveralTensorsHasNoForwardOfOne() {
        Module lone = new Module() {};
        assertMessage("Module: it has no forward(Tensor); call the form that it declares", () -> lone.forward(null));
    }

    @Test
    void moduleListsKeepTheirType() {
        ModuleList<Block> blocks = new ModuleList<>(List.of(new Block(), new Block()));
        assertEquals(2, blocks.size());
        assertSame(blocks.get(1), blocks.children().getLast());
        assertEquals("1.scale", blocks.get(1).scale.name());
        assertMessage("ModuleList: there are 2 modules, got index 2", () -> blocks.get(2));
    }

    private static void assertMessage(String message, Runnable call) {
        assertEquals(message, assertThrows(OutpostException.class, call::run).getMessage());
    }
}
