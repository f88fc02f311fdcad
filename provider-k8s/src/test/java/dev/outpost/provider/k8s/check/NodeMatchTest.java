package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeMatchTest {
    @ParameterizedTest
    @CsvSource({
        "In, 5, 5, true",
        "In, 5, 6, false",
        "NotIn, 5, 6, true",
        "NotIn, 5, 5, false",
        "Exists, , 5, true",
        "DoesNotExist, , 5, false",
        "Gt, 5, 6, true",
        "Gt, 5, 5, false",
        "Gt, 5, many, false",
        "Lt, 5, 4, true",
        "Lt, 5, 5, false",
        "Other, 5, 5, false"
    })
    void operatorsAreThoseOfTheScheduler(String operator, String value, String label, boolean isFit) {
        List<String> values = value == null ? List.of() : List.of(value);
        var term = new NodeSelectorTermBuilder()
                .withMatchExpressions(new NodeSelectorRequirement("a", operator, values))
                .build();
        assertEquals(isFit, NodeMatch.fits(Map.of(), List.of(term), Map.of("a", label)));
    }
}
