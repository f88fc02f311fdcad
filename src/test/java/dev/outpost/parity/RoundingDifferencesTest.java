package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParityTolerance;
import dev.outpost.torch.ops.ExactSubject;
import dev.outpost.torch.ops.MachineSubject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If rounding is the reason of a difference, float64 shows it. Our float32 answer is within one and a half tolerances of the exact
 * one, or at most twice as far from it as PyTorch's own float32 answer is, or as the exact answer for operands that are one
 * rounding off. PyTorch's answers were recorded on one processor, and the order of a BLAS's sums depends on the processor; the condition
 * of a case does not.
 */
class RoundingDifferencesTest {
    private static final double NEAR = 1.5;
    private static final double TIMES = 2;

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void oursIsAboutAsNearToTheExactAnswerAsPyTorchs(String engine) throws IOException {
        Set<String> roundings = KnownPackDifferences.roundings();
        Map<String, String> worse = new TreeMap<>();
        try (ParityPack pack = ParityPack.open(
                        JudgedPack.resource("/parity/cases.jsonl").getParent());
                MachineSubject subject = new MachineSubject(machine(engine));
                ExactSubject exact = new ExactSubject(machine("cpu"));
                ExactSubject up = ExactSubject.ofRoundedOperands(machine("cpu"), 1);
                ExactSubject down = ExactSubject.ofRoundedOperands(machine("cpu"), 2)) {
            for (ParityCase each : pack.cases()) {
                if (roundings.contains(each.id())) {
                    List<ParityAnswer> rounded = List.of(up.compute(each, pack), down.compute(each, pack));
                    worst(each, pack, subject.compute(each, pack), exact.compute(each, pack), rounded)
                            .ifPresent(reason -> worse.put(each.id(), reason));
                }
            }
        }
        assertEquals(Map.of(), worse);
    }

    private static RemoteMachine machine(String engine) {
        return RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", engine));
    }

    private static Optional<String> worst(
            ParityCase each, ParityPack pack, ParityAnswer ours, ParityAnswer exact, List<ParityAnswer> rounded) {
        Stream<Optional<String>> outputs = IntStream.range(0, ours.outputs().size())
                .mapToObj(at -> worse(
                        ours.outputs().get(at),
                        pack.tensor(each.outputs().get(at)),
                        exact.outputs().get(at),
                        rounded.stream().map(answer -> answer.outputs().get(at))));
        List<Optional<HostTensor>> slopes = ours.gradients();
        Stream<Optional<String>> gradients = IntStream.range(0, slopes.size())
                .filter(at -> slopes.get(at).isPresent())
                .mapToObj(at -> worse(
                        slopes.get(at).orElseThrow(),
                        pack.tensor(each.gradients().get(at).orElseThrow()),
                        exact.gradients().get(at).orElseThrow(),
                        rounded.stream()
                                .map(answer -> answer.gradients().get(at).orElseThrow())));
        return Stream.concat(outputs, gradients).flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> worse(
            HostTensor ours, HostTensor theirs, HostTensor exact, Stream<HostTensor> rounded) {
        double our = distance(ours, exact);
        double their = distance(theirs, exact);
        double condition =
                rounded.mapToDouble(answer -> distance(answer, exact)).max().orElseThrow();
        return our <= Math.max(NEAR, TIMES * Math.max(their, condition))
                ? Optional.empty()
                : Optional.of("%.1f times the tolerance from the exact answer, PyTorch %.1f, rounded operands %.1f"
                        .formatted(our, their, condition));
    }

    /** The largest difference, in tolerances. */
    private static double distance(HostTensor some, HostTensor exact) {
        ParityTolerance tolerance = ParityTolerance.of(some.dtype());
        double largest = 0;
        for (long at = 0; at < exact.shape().elements(); at++) {
            double right = exact.getDouble(at);
            double off = Math.abs(some.getDouble(at) - right);
            largest = Math.max(largest, off == 0 || Double.isNaN(off) ? 0 : off / tolerance.allowed(right));
        }
        return largest;
    }
}
