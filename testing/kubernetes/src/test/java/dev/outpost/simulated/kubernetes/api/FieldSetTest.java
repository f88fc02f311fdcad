package dev.outpost.simulated.kubernetes.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the fields that a manager has set. */
class FieldSetTest {
    private static final ObjectNode JOB = JsonObjects.parse("""
            {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x", "labels": {"a": "b"}},
             "spec": {"suspend": true, "template": {"spec": {
               "containers": [{"name": "machine", "command": ["x", "y"]}],
               "volumes": [{"name": "tmp", "emptyDir": {}}]}}},
             "status": {"active": 1}}
            """);

    @Test
    void leavesAreFields() {
        assertEquals(
                List.of(
                        ".metadata.labels.a",
                        ".spec.suspend",
                        ".spec.template.spec.containers[name=\"machine\"].command",
                        ".spec.template.spec.containers[name=\"machine\"].name",
                        ".spec.template.spec.volumes[name=\"tmp\"].emptyDir",
                        ".spec.template.spec.volumes[name=\"tmp\"].name"),
                FieldSet.of(JOB).paths().stream()
                        .map(FieldPath::toString)
                        .sorted()
                        .toList());
    }

    @Test
    void fieldSetRoundTrips() {
        FieldSet fields = FieldSet.of(JOB);
        assertEquals(fields, FieldSet.read(fields.write()));
    }

    @Test
    void emptyParentIsRemovedToo() {
        ObjectNode object = JOB.deepCopy();
        FieldSet.of(JOB)
                .where(path -> path.toString().startsWith(".spec.template.spec.volumes"))
                .paths()
                .forEach(path -> path.remove(object));
        assertEquals(
                List.of("containers"),
                List.copyOf(object.at("/spec/template/spec").properties()).stream()
                        .map(entry -> entry.getKey())
                        .toList());
    }
}
