package dev.outpost.bench.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All measured comparisons. */
public final class Comparisons {
    private final List<PeerComparison> measured = new ArrayList<>();

    public void add(PeerComparison comparison) {
        measured.add(comparison);
    }

    /** Returns the comparisons of each workload and peer, one for each variant, in the order in which they were added. */
    Map<List<String>, List<PeerComparison>> rows() {
        return measured.stream()
                .collect(Collectors.groupingBy(
                        comparison -> List.of(comparison.workload(), comparison.peer()),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    List<String> peers() {
        return measured.stream().map(PeerComparison::peer).distinct().toList();
    }

    List<String> variants() {
        return measured.stream().map(PeerComparison::variant).distinct().toList();
    }

    /** Returns the geometric mean of the ratios to a peer over all its workloads. */
    double geometricMean(String peer, String variant) {
        return Math.exp(measured.stream()
                .filter(comparison ->
                        comparison.peer().equals(peer) && comparison.variant().equals(variant))
                .mapToDouble(comparison -> Math.log(comparison.ratio()))
                .average()
                .orElse(Double.NaN));
    }

    /** Writes the comparisons as a JSON array. */
    public void write(Path file) throws IOException {
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), measured);
    }
}
