package dev.outpost.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class ComparisonsTest {
    private final Comparisons comparisons = new Comparisons();

    ComparisonsTest() {
        comparisons.add(new PeerComparison("softmax", "eager", 4, "djl", 2));
        comparisons.add(new PeerComparison("softmax", "scoped", 1, "djl", 2));
        comparisons.add(new PeerComparison("matmul", "eager", 10, "djl", 10));
        comparisons.add(new PeerComparison("matmul", "scoped", 1.25, "djl", 10));
        comparisons.add(new PeerComparison("matmul", "eager", 10, "blas", 9));
        comparisons.add(new PeerComparison("matmul", "scoped", 10, "blas", 9));
    }

    @Test
    void aRatioAboveOneIsFaster() {
        assertEquals(4, new PeerComparison("any", "scoped", 0.5, "peer", 2).ratio());
    }

    @Test
    void theMeanIsGeometricAndOfOnePeerAndVariant() {
        assertEquals(Math.sqrt(0.5), comparisons.geometricMean("djl", "eager"), 1e-12);
        assertEquals(4, comparisons.geometricMean("djl", "scoped"), 1e-12);
        assertEquals(0.9, comparisons.geometricMean("blas", "scoped"), 1e-12);
    }

    @Test
    void jsonIsAnArrayOfWhatWasMeasured(@TempDir Path folder) throws IOException {
        comparisons.write(folder.resolve("peers.json"));
        JsonNode written =
                new ObjectMapper().readTree(folder.resolve("peers.json").toFile());
        assertEquals(6, written.size());
        assertEquals(new ObjectMapper().readTree("""
                                {"workload": "softmax", "variant": "scoped", "ours_ms": 1.0, "peer": "djl", "peer_ms": 2.0,
                                 "ratio": 2.0}
                                """), written.get(1));
    }

    @Test
    void theTableHasARowForEachWorkloadAndPeerAndTheMeans() {
        assertEquals("""
                | workload       | ours, eager, ms | ours, scoped, ms | peer | peer, ms | ratio, eager | ratio, scoped |
                | -------------- | --------------- | ---------------- | ---- | -------- | ------------ | ------------- |
                | softmax        | 4.00            | 1.00             | djl  | 2.00     | 0.50         | 2.00          |
                | matmul         | 10.00           | 1.25             | djl  | 10.00    | 1.00         | 8.00          |
                | matmul         | 10.00           | 10.00            | blas | 9.00     | 0.90         | 0.90          |
                | geometric mean |                 |                  | djl  |          | 0.71         | 4.00          |
                | geometric mean |                 |                  | blas |          | 0.90         | 0.90          |
                """, new Table(comparisons).text());
    }
}
