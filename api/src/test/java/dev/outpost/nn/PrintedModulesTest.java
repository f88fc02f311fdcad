package dev.outpost.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Modules are printed as PyTorch prints them: printed-modules.txt was written by print_modules.py. */
@Tag("quick")
class PrintedModulesTest {
    private static final Map<String, Module> MODULES = modules();
    private static final Map<String, String> PRINTED = printed();

    private static final class Block extends Module {
        private Block() {
            register("attention", new MultiheadAttention(8, 2));
            register("norm", new LayerNorm(8));
            register("feed", new Sequential(new Linear(8, 16), new GELU(), new Linear(16, 8)));
        }
    }

    private static final class Model extends Module {
        private Model() {
            register("embed", new Embedding(50, 8));
            register("blocks", new ModuleList<>(List.of(new Block(), new Block())));
            register("head", new Linear(8, 50, false));
        }
    }

    private static Map<String, Module> modules() {
        Map<String, Module> modules = new TreeMap<>();
        modules.put("linear", new Linear(3, 4, false));
        modules.put(
                "sequential", new Sequential(new Linear(64, 256), new ReLU(), new Dropout(0.2), new Linear(256, 10)));
        modules.put(
                "convolutions",
                new Sequential(
                        new Conv2d(1, 32, 3, 1, 1),
                        new BatchNorm2d(32),
                        new ReLU(),
                        new MaxPool2d(2),
                        new AdaptiveAvgPool2d(1L),
                        new Flatten(),
                        new Linear(32, 10)));
        modules.put(
                "list",
                new ModuleList<>(
                        List.of(new Linear(4, 4), new Linear(4, 4), new Linear(4, 4), new ReLU(), new Linear(4, 4))));
        SequencedMap<String, Module> named = new LinkedHashMap<>();
        named.put("a", new Linear(2, 3));
        named.put("b", new GELU());
        named.put("c", new Sequential(new Tanh(), new Softmax(1)));
        modules.put("dict", new ModuleDict<>(named));
        modules.put(
                "recurrent",
                new LSTM(
                        8,
                        16,
                        RecurrentOptions.defaults()
                                .layers(2)
                                .batchFirst(true)
                                .dropout(0.1)
                                .bidirectional(true)));
        modules.put("gru", new GRU(8, 16));
        modules.put("attention", new MultiheadAttention(16, 4));
        TransformerOptions transformer =
                TransformerOptions.of(16, 4).feedForward(32).batchFirst(true);
        modules.put("encoder", new TransformerEncoder(transformer, 2));
        modules.put("decoder_layer", new TransformerDecoderLayer(transformer));
        modules.put(
                "norms",
                new Sequential(new LayerNorm(16), new GroupNorm(2, 16), new BatchNorm1d(16), new InstanceNorm2d(3)));
        modules.put("embedding", new Sequential(new Embedding(100, 16, 0)));
        modules.put(
                "activations",
                new Sequential(
                        new LeakyReLU(0.2),
                        new ELU(),
                        new GELU(true),
                        new SiLU(),
                        new PReLU(),
                        new Softplus(),
                        new Hardtanh(),
                        new LogSoftmax(-1),
                        new Sigmoid(),
                        new Mish(),
                        new GLU()));
        modules.put(
                "reshaping",
                new Sequential(new PixelShuffle(2), new Unflatten(1, 2, 2), new Identity(), new Flatten()));
        modules.put("losses", new ModuleList<>(List.of(new CrossEntropyLoss(), new MSELoss())));
        modules.put("empty", new Sequential());
        modules.put("pools", new Sequential(new AvgPool2d(2), new Dropout2d(), new ZeroPad2d(1)));
        modules.put(
                "parameters",
                new ParameterList(List.of(
                        new Parameter(Shape.of(2, 3), DType.FLOAT32, Init.zeros()),
                        new Parameter(Shape.of(4), DType.FLOAT32, Init.zeros()))));
        modules.put("model", new Model());
        return modules;
    }

    private static Map<String, String> printed() {
        try (InputStream text = PrintedModulesTest.class.getResourceAsStream("printed-modules.txt")) {
            Map<String, String> printed = new TreeMap<>();
            for (String part : new String(text.readAllBytes(), StandardCharsets.UTF_8).split("(^|\n)## ")) {
                int end = part.indexOf('\n');
                if (end > 0) {
                    printed.put(part.substring(0, end), part.substring(end + 1).stripTrailing());
                }
            }
            return printed;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    static Stream<String> names() {
        return MODULES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void printedAsByPyTorch(String name) {
        assertEquals(PRINTED.get(name), MODULES.get(name).toString());
    }

    @Test
    void everyModuleIsCompared() {
        assertEquals(PRINTED.keySet(), MODULES.keySet());
    }
}
