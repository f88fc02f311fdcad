package dev.outpost.models.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.source.Source;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adapters are trained on weights of a few bits (QLoRA; Dettmers et al., 2023). */
class QuantizedTrainingTest {
    private static final long TOKENS = 64;
    private static final Path MODEL =
            Path.of(QuantizedTrainingTest.class.getResource("/fixtures/llama").getPath());

    @ParameterizedTest
    @ValueSource(strings = {"int8", "int4"})
    void gradientsAreThoseOverTheFloatsThatTheCodesStandFor(String how) {
        try (RemoteMachine machine =
                        RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + MODEL));
                CausalLM quantized = load(machine, Quantization.of(how));
                CausalLM floats = load(machine, null)) {
            Map<String, Module> modules = floats.module().namedModules();
            GradMode.noGrad(() -> WeightLoader.quantizedLayers(quantized.module())
                    .forEach((name, layer) ->
                            ((Linear) modules.get(name)).weight().tensor().copy_(layer.dequantized())));
            Map<String, float[]> expected = gradients(floats);
            Map<String, float[]> got = gradients(quantized);
            assertEquals(expected.keySet(), got.keySet());
            expected.forEach((name, gradient) -> assertClose(name, gradient, got.get(name)));
            LoraAdapter adapter = LoraAdapter.on(quantized.module(), LoraConfig.rank(2));
            OutpostException refused = assertThrows(OutpostException.class, adapter::merge);
            assertTrue(refused.getMessage().contains("cannot take a change"), refused::getMessage);
        }
    }

    private static CausalLM load(RemoteMachine machine, Quantization quantization) {
        Source source = machine.open("file:" + MODEL);
        return CausalLM.load(source, null, TOKENS, quantization);
    }

    private static Map<String, float[]> gradients(CausalLM model) {
        RemoteMachine machine = model.machine();
        machine.manualSeed(3);
        LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4));
        GradMode.noGrad(
                () -> adapter.layers().values().forEach(layer -> layer.up().fill_(0.1)));
        model.module().prepare(machine, TOKENS);
        Tensor scores = model.module().forward(machine.tensor(new long[] {1, 17, 33, 5, 9, 2, 44, 8}, 2, 4));
        scores.mul(scores).mean().backward();
        Map<String, float[]> gradients = new LinkedHashMap<>();
        adapter.namedParameters()
                .forEach((name, parameter) ->
                        gradients.put(name, parameter.tensor().grad().toFloatArray()));
        adapter.close();
        return gradients;
    }

    /** Products of codes are rounded otherwise than those of floats, in the last bits. */
    private static void assertClose(String name, float[] expected, float[] got) {
        double largest = 0;
        for (float value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertTrue(largest > 0, name + " has no gradient");
        for (int place = 0; place < expected.length; place++) {
            assertEquals(expected[place], got[place], 1e-4 * largest, name);
        }
    }
}
