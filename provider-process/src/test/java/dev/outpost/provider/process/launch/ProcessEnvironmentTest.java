package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.StateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessEnvironmentTest {
    /** Names of variables that often contain secrets. */
    private static final List<String> SECRETS = List.of(
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "HF_TOKEN",
            "HUGGING_FACE_HUB_TOKEN",
            "NVIDIA_API_KEY",
            "NGC_API_KEY",
            "OTEL_EXPORTER_OTLP_HEADERS",
            "OUTPOST_API_KEY",
            "OUTPOST_BACKEND_DATABASE_PASSWORD",
            "PGPASSWORD",
            "https_proxy",
            "JAVA_TOOL_OPTIONS",
            "SSH_AUTH_SOCK",
            "KUBECONFIG");

    @TempDir
    Path folder;

    @Test
    void organisationsInheritNoSecret() throws IOException {
        Map<String, String> all = new HashMap<>(
                Map.of("PATH", "/bin", "NVIDIA_VISIBLE_DEVICES", "all", "MINE", "x", "OUTPOST_DEBUG", "planner"));
        SECRETS.forEach(name -> all.put(name, "secret"));
        MachineRecord record = new MachineRecord(
                "outpost-a-1",
                new Keeper.Fleet("installation", "m-1", 1),
                "any",
                Optional.empty(),
                "ada@laptop",
                Instant.now(),
                Optional.empty(),
                Map.of());
        MachineFolder machine = new StateFolder(folder.resolve("machines"))
                .make(record, List.of(), Map.of(), Optional.empty())
                .orElseThrow();
        Map<String, String> inherited = new ProcessEnvironment(all, List.of("MINE")).of(machine);
        assertEquals(Set.of("PATH", "NVIDIA_VISIBLE_DEVICES", "MINE", "OUTPOST_DEBUG"), inherited.keySet());
    }
}
