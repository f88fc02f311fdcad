package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ops.MachineSubject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Intermediate values of an op are freed: even in plain code none of them waits for the garbage collector. */
class TidyOpsTest {
    /**
     * The values that the table itself creates to express a case with our ops: a cast, an index, a tolerance as a tensor, a result that is
     * not compared.
     */
    private static final Map<String, Long> OF_THE_TABLE = Map.ofEntries(
            Map.entry("__getitem__", 3L),
            Map.entry("bucketize", 1L),
            Map.entry("linalg.lstsq", 3L),
            Map.entry("linalg.matrix_rank", 2L),
            Map.entry("linalg.pinv", 1L),
            Map.entry("log_softmax", 1L),
            Map.entry("lu", 1L),
            Map.entry("nanquantile", 1L),
            Map.entry("nn.functional.softmin", 1L),
            Map.entry("quantile", 1L),
            Map.entry("pca_lowrank", 1L),
            Map.entry("searchsorted", 1L),
            Map.entry("softmax", 1L),
            Map.entry("svd", 1L),
            Map.entry("svd_lowrank", 1L));

    /** The values that are saved for gradients that are not computed: that of the residuals, or a gradient that is 0. */
    private static final Map<String, Long> SAVED_IN_VAIN =
            Map.of("linalg.lstsq", 5L, "masked.norm", 1L, "nanquantile", 2L);

    @Test
    void opsFreeTheirIntermediates() throws IOException {
        assertEquals(Map.of(), leftovers(each -> true, MachineSubject::leftovers, OF_THE_TABLE));
    }

    @Test
    void backwardFreesAllButTheLeavesGradients() throws IOException {
        Map<String, Long> known = new HashMap<>(OF_THE_TABLE);
        known.putAll(SAVED_IN_VAIN);
        assertEquals(
                Map.of(),
                leftovers(
                        each -> each.outputs().size() == 1 && each.cotangents().size() == 1,
                        MachineSubject::leftoversOfGradients,
                        known));
    }

    private interface Count {
        long of(MachineSubject subject, ParityCase parityCase, ParityPack pack);
    }

    private static Map<String, Long> leftovers(Predicate<ParityCase> isCounted, Count count, Map<String, Long> known)
            throws IOException {
        Map<String, Long> leftovers = new TreeMap<>();
        try (ParityPack pack = ParityPack.open(
                        JudgedPack.resource("/parity/cases.jsonl").getParent());
                MachineSubject subject = new MachineSubject(RemoteMachine.of("mock", "A100"))) {
            for (ParityCase each : pack.cases()) {
                if (!each.isRefused() && subject.knows(each.op()) && isCounted.test(each)) {
                    leftovers.merge(each.op(), count.of(subject, each, pack), Math::max);
                }
            }
        }
        leftovers.entrySet().removeIf(entry -> entry.getValue() <= known.getOrDefault(entry.getKey(), 0L));
        return leftovers;
    }
}
