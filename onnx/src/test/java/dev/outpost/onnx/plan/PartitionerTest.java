package dev.outpost.onnx.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.OnnxFile;
import dev.outpost.onnx.plan.WorkerSpeed.Link;
import dev.outpost.onnx.type.OnnxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares partitions with all possible ones. */
class PartitionerTest {
    private static final long PLENTY = 1L << 40;

    @Test
    void noOtherDivisionHasAShorterBottleneck() {
        ModelCosts costs = costs("residual");
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            List<WorkerSpeed> workers = new ArrayList<>();
            for (int worker = 0; worker < 3; worker++) {
                workers.add(worker(
                        "w" + worker,
                        (long) (Partitioner.memory(costs, 0, costs.size()) * (0.4 + random.nextDouble())),
                        1e5 * (1 + 9 * random.nextDouble()),
                        1e5 * (1 + 99 * random.nextDouble())));
            }
            double best = bruteForce(costs, workers);
            if (Double.isInfinite(best)) {
                assertThrows(OnnxException.class, () -> Partitioner.plan(costs, workers, 1));
            } else {
                assertEquals(best, Partitioner.plan(costs, workers, 1).bottleneckSeconds(), best * 1e-9);
            }
        }
    }

    @Test
    void oneWorkerGetsEverything() {
        ModelCosts costs = costs("mlp");
        PipelinePlan plan = Partitioner.plan(costs, List.of(worker("only", PLENTY, 1e9, 1e9)), 1);
        assertEquals(1, plan.stages().size());
        assertEquals(costs.size(), plan.stages().getFirst().end());
    }

    @Test
    void anEvenDivisionCountsWhatTravelsAndSendsOutputsAsTheyAre() {
        ModelCosts costs = costs("residual");
        List<WorkerSpeed> workers = List.of(worker("one", PLENTY, 1e9, 1e9), worker("other", PLENTY, 1e9, 1e9));
        List<StagePlan> exact = Partitioner.even(costs, workers, 2, 1).stages();
        List<StagePlan> coded = Partitioner.even(costs, workers, 2, 0.25).stages();
        assertEquals(
                Math.round(exact.getFirst().outBytes() * 0.25), coded.getFirst().outBytes());
        assertEquals(exact.getLast().outBytes(), coded.getLast().outBytes());
        assertTrue(coded.getFirst().transfer().seconds()
                < exact.getFirst().transfer().seconds());
    }

    @Test
    void whatAWorkerSpendsOnPassingValuesDelaysTheNextBatch() {
        ModelCosts costs = costs("residual");
        WorkerSpeed free = new WorkerSpeed("free", PLENTY, 1e9, 1e12, 1e-6, 0, new Link(1e9, 1e9, 1e-6));
        WorkerSpeed busy = new WorkerSpeed("busy", PLENTY, 1e9, 1e12, 1e-6, 1, new Link(1e9, 1e9, 1e-6));
        PipelinePlan plan = Partitioner.plan(costs, List.of(busy), 1);
        long passed = costs.bytesAtCut(0) + costs.bytesAtCut(costs.size());
        assertEquals(passed, plan.stages().getFirst().handlingSeconds(), 1e-9);
        assertTrue(plan.bottleneckSeconds() >= passed);
        assertEquals(
                0,
                Partitioner.plan(costs, List.of(busy, free), 1)
                        .stages()
                        .getFirst()
                        .handlingSeconds());
    }

    @Test
    void latencyDelaysNoOtherBatch() {
        ModelCosts costs = costs("residual");
        WorkerSpeed far = new WorkerSpeed("far", PLENTY, 1e9, 1e12, 1e-6, 0, new Link(1e9, 1e9, 1));
        PipelinePlan plan = Partitioner.plan(costs, List.of(far), 1);
        assertTrue(plan.bottleneckSeconds() < 1, plan::explain);
        assertTrue(plan.latencySeconds() > 2, plan::explain);
    }

    @Test
    void aFasterWorkerGetsMore() {
        ModelCosts costs = costs("residual");
        PipelinePlan plan = Partitioner.plan(
                costs, List.of(worker("slow", PLENTY, 1e5, 1e12), worker("fast", PLENTY, 3e5, 1e12)), 1);
        assertEquals(2, plan.stages().size());
        double slow = operations(costs, plan, 0);
        double fast = operations(costs, plan, 1);
        assertTrue(fast > 1.5 * slow, fast + " against " + slow);
    }

    @Test
    void aSlowLinkIsAvoided() {
        ModelCosts costs = costs("residual");
        PipelinePlan plan =
                Partitioner.plan(costs, List.of(worker("near", PLENTY, 1e6, 1e9), worker("far", PLENTY, 1e6, 1)), 1);
        assertEquals(List.of(0), plan.stages().stream().map(StagePlan::worker).toList());
    }

    @Test
    void tooLittleMemoryIsRefusedWithTheNumbers() {
        ModelCosts costs = costs("residual");
        OnnxException refused = assertThrows(
                OnnxException.class,
                () -> Partitioner.plan(
                        costs, List.of(worker("one", 1000, 1e9, 1e9), worker("two", 2000, 1e9, 1e9)), 1));
        assertTrue(refused.getMessage().contains("one has 1000 B, two has 2.0 KiB"), refused.getMessage());
        assertTrue(refused.getMessage().contains("more workers are needed"), refused.getMessage());
    }

    @Test
    void aPlanIsPrintedAndDrawn() {
        String text = Partitioner.plan(costs("mlp"), List.of(worker("only", PLENTY, 1e9, 1e9)), 1)
                .explain();
        assertTrue(text.contains("only") && text.contains("#") && text.contains("a batch every"), text);
    }

    private static double operations(ModelCosts costs, PipelinePlan plan, int worker) {
        return plan.stages().stream()
                .filter(stage -> stage.worker() == worker)
                .mapToDouble(stage -> costs.cost(stage.first(), stage.end()).operations())
                .sum();
    }

    private static WorkerSpeed worker(String name, long memory, double operations, double link) {
        return new WorkerSpeed(name, memory, operations, 1e12, 1e-6, 1e-7, new Link(link, link, 1e-6));
    }

    private static ModelCosts costs(String name) {
        ModelGraph model = ModelGraph.of(OnnxFile.read(
                Path.of("src/test/resources/models", name + ".onnx").toString()));
        var inputs = model.nominalInputs(Map.of());
        return new ModelCosts(model.index(), model.types(inputs), model.cutter(inputs));
    }

    // ---- all divisions

    private static double bruteForce(ModelCosts costs, List<WorkerSpeed> workers) {
        return extend(costs, workers, 0, -1, new ArrayList<>(), 0);
    }

    private static double extend(
            ModelCosts costs, List<WorkerSpeed> workers, int from, int last, List<Integer> used, double soFar) {
        if (from == costs.size()) {
            return Math.max(soFar, way(costs, workers, from, last, -1));
        }
        double best = Double.POSITIVE_INFINITY;
        for (int next : IntStream.range(0, workers.size())
                .filter(each -> !used.contains(each))
                .toArray()) {
            used.add(next);
            double sends = way(costs, workers, from, last, next);
            for (int to = from + 1; to <= costs.size(); to++) {
                if (costs.canCut(to)
                        && Partitioner.memory(costs, from, to)
                                <= workers.get(next).memoryBytes()) {
                    double longest = Math.max(soFar, Math.max(sends, seconds(costs, workers.get(next), from, to)));
                    best = Math.min(best, extend(costs, workers, to, next, used, longest));
                }
            }
            used.removeLast();
        }
        return best;
    }

    private static double seconds(ModelCosts costs, WorkerSpeed worker, int from, int to) {
        double sum = worker.callSeconds()
                + worker.handlingSecondsPerByte() * (costs.bytesAtCut(from) + costs.bytesAtCut(to));
        for (int node = from; node < to; node++) {
            sum += worker.seconds(costs.node(node));
        }
        return sum;
    }

    private static double way(ModelCosts costs, List<WorkerSpeed> workers, int cut, int from, int to) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int end : new int[] {from, to}) {
            if (end >= 0) {
                slowest = Math.min(slowest, workers.get(end).link().toBytesPerSecond());
            }
        }
        return costs.bytesAtCut(cut) / slowest;
    }
}
