package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.vocabulary.Ops;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Checks that values, gradients and second gradients equal PyTorch's at zeros of both signs, infinities, NaN, ties and bounds. The
 * exceptions are listed with reasons in {@code known-differences.txt} next to the pack. {@code ./outpost parity --torch --singular FOLDER}
 * writes the pack.
 */
class SingularGradientsTest {
    @Test
    void theCpuAnswersAsPyTorchDoes() throws IOException {
        assertOnlyKnownDiffer("cpu");
    }

    @Test
    void theReferenceAnswersAsPyTorchDoes() throws IOException {
        assertOnlyKnownDiffer("reference");
    }

    @Test
    void secondDerivativesAreThoseOfPyTorch() throws IOException {
        Map<String, String> differing = new TreeMap<>();
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (String line : Files.readAllLines(JudgedPack.resource("/parity/singular/second-derivatives.tsv"))) {
                String[] columns = line.split("\t");
                try (Scope scope = machine.scope()) {
                    List<double[]> found = derivatives(columns[0], machine.tensor(numbers(columns[1])));
                    for (int order = 1; order <= 2; order++) {
                        double[] ours = found.get(order - 1);
                        if (!areClose(numbers(columns[order + 1]), ours)) {
                            differing.put(
                                    columns[0] + " " + columns[1] + " order " + order,
                                    "expected " + columns[order + 1] + ", got " + Arrays.toString(ours));
                        }
                    }
                }
            }
        }
        assertOnlyKnown("/parity/singular/known-second-differences.txt", differing);
    }

    /**
     * The gradient of a weighted sum of a call's result, and the gradient of a weighted sum of that gradient.
     *
     * @param call the name of the op, and behind a slash its second argument, as singular_gradients.py has it
     */
    private static List<double[]> derivatives(String call, Tensor values) {
        Tensor x = values.requiresGrad(true);
        String[] parts = call.split("/");
        Tensor ones = x.detach().onesLike();
        List<?> args = switch (parts.length == 1 ? "" : parts[1]) {
            case "" -> List.of(x);
            case "dim" -> List.of(x, 0);
            case "ones" -> List.of(x, ones);
            case "rows" -> List.of(x.unsqueeze(0), ones.unsqueeze(0));
            default -> List.of(x, Double.valueOf(parts[1]));
        };
        Tensor result = Ops.call(parts[0], args, Map.of()).getFirst();
        Tensor first =
                Autograd.grad(weighted(result), List.of(x), null, true, true).getFirst();
        Tensor second = first.requiresGrad()
                ? Autograd.grad(weighted(first), List.of(x), null, false, true).getFirst()
                : null;
        return List.of(first.toDoubleArray(), second == null ? new double[(int) x.numel()] : second.toDoubleArray());
    }

    private static Tensor weighted(Tensor tensor) {
        Tensor weights = tensor.machine().arange(1, tensor.numel() + 1, 1).to(tensor.dtype());
        return tensor.mul(weights.view(tensor.shape())).sum();
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" "))
                .mapToDouble(each -> switch (each) {
                    case "inf" -> Double.POSITIVE_INFINITY;
                    case "-inf" -> Double.NEGATIVE_INFINITY;
                    case "nan" -> Double.NaN;
                    default -> Double.parseDouble(each);
                })
                .toArray();
    }

    /** Compares with PyTorch's tolerance for float64. */
    private static boolean areClose(double[] expected, double[] found) {
        return expected.length == found.length
                && IntStream.range(0, expected.length)
                        .allMatch(place -> expected[place] == found[place]
                                || Double.isNaN(expected[place]) && Double.isNaN(found[place])
                                || Math.abs(expected[place] - found[place]) <= 1e-7 + 1e-7 * Math.abs(expected[place])
                                        && Double.isFinite(expected[place]));
    }

    private static void assertOnlyKnownDiffer(String engine) throws IOException {
        Map<String, String> differing = JudgedPack.judge(engine, "/parity/singular/cases.jsonl").outcomes().stream()
                .filter(outcome -> !outcome.passed())
                .collect(Collectors.toMap(ParityOutcome::id, Object::toString, (one, other) -> one, TreeMap::new));
        assertOnlyKnown("/parity/singular/known-differences.txt", differing);
    }

    private static void assertOnlyKnown(String file, Map<String, String> differing) throws IOException {
        Map<String, String> known = Files.readAllLines(JudgedPack.resource(file)).stream()
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(
                        columns -> columns[0], columns -> columns[1], (one, other) -> one, TreeMap::new));
        assertEquals(
                String.join("\n", known.keySet()),
                String.join("\n", differing.keySet()),
                () -> differing.entrySet().stream()
                        .filter(each -> !known.containsKey(each.getKey()))
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining("\n")));
    }
}
