package dev.outpost.torch;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of the cases by op, in their order; the components are those of the JSON. */
public record ParityReport(int cases, int passed, int ops, int wholeOps, List<OpScore> perOp) {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    public static ParityReport of(List<ParityOutcome> outcomes) {
        List<OpScore> perOp = outcomes.stream()
                .collect(Collectors.groupingBy(ParityOutcome::op, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(ParityReport::score)
                .toList();
        int passed = perOp.stream().mapToInt(OpScore::passed).sum();
        int wholeOps = (int) perOp.stream().filter(OpScore::allPassed).count();
        return new ParityReport(outcomes.size(), passed, perOp.size(), wholeOps, perOp);
    }

    private static OpScore score(Map.Entry<String, List<ParityOutcome>> entry) {
        return OpScore.of(entry.getKey(), entry.getValue());
    }

    /** Formats the line that scripts search for. */
    public String summary() {
        return "parity: " + passed + " of " + cases + " cases, " + wholeOps + " of " + ops + " ops whole";
    }

    public void writeJson(Path file) throws IOException {
        MAPPER.writeValue(file.toFile(), this);
    }
}
