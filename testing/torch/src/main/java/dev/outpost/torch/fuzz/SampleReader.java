package dev.outpost.torch.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.torch.Argument;
import dev.outpost.torch.ArgumentReader;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a call that {@code torch_samples.py} has drawn as statements: its tensors, and then the call. */
final class SampleReader {
    private static final String RESULT = "r";

    private SampleReader() {}

    static List<FuzzStatement> read(JsonNode sample) {
        List<FuzzStatement> statements = new ArrayList<>();
        sample.get("tensors").properties().forEach(entry -> {
            Seen tensor = TorchSide.seenTensor(entry.getValue());
            statements.add(new Literal(entry.getKey(), tensor.value(), tensor.requiresGrad()));
        });
        Map<String, Argument> keywords = new LinkedHashMap<>();
        sample.get("keywords")
                .properties()
                .forEach(entry -> keywords.put(entry.getKey(), ArgumentReader.read(entry.getValue())));
        List<Argument> arguments =
                sample.get("arguments").valueStream().map(ArgumentReader::read).toList();
        statements.add(new Invocation(
                RESULT,
                sample.get("op").asText(),
                arguments,
                keywords,
                sample.get("parts").asBoolean(),
                false));
        return statements;
    }
}
