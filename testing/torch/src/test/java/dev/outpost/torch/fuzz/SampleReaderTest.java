package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SampleReaderTest {
    @Test
    void aSampleIsItsTensorsAndThenTheCall() throws IOException {
        List<FuzzStatement> statements = SampleReader.read(new ObjectMapper().readTree("""
                {"op": "quantile", "arguments": [{"tensor": "t0"}, {"float": "inf"}], "keywords": {"dim": 0, "keepdim": true},
                 "parts": false,
                 "tensors": {"t0": {"dtype": "float32", "shape": [1], "data": "AACAPw==", "requires_grad": true}}}
                """));
        assertEquals(
                List.of(
                        "t0 = torch.tensor([1.0], dtype=torch.float32, requires_grad=True)",
                        "r = t0.quantile(inf, dim=0, keepdim=True)"),
                statements.stream().map(PythonText::of).toList());
    }
}
