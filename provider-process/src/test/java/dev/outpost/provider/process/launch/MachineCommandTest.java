package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSettings;
import dev.outpost.provider.support.EngineKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class MachineCommandTest {
    @Test
    void theRuntimeIsToldWhatItMayReadModelsFrom(@TempDir Path folder) throws Exception {
        Path jar = Files.createFile(folder.resolve("runtime.jar"));
        ProcessConfig config = ProcessSettings.read(
                Map.of("jar", jar.toString(), "sources", "file:/models,hf://org", "sources-cache", folder.toString()));
        List<String> command = new MachineCommand(
                        Duration.ofSeconds(30), Optional.empty(), Optional.empty(), Optional.empty(), false)
                .of(config, new DeviceChoice(EngineKind.CPU, Optional.empty()));
        assertTrue(command.contains("-Doutpost.runtime.sources=file:/models,hf://org"), command::toString);
        assertTrue(command.contains("-Doutpost.runtime.cache.folder=" + folder), command::toString);
    }
}
