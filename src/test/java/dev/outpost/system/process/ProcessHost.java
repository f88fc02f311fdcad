package dev.outpost.system.process;

import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.process.ProcessProvider;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder of machines, which are processes of the built runtime. */
record ProcessHost(Path state) {
    /** The name of the only machine. */
    String onlyMachine() {
        try (Stream<Path> machines = Files.list(state)) {
            List<String> names = machines.map(machine -> machine.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .toList();
            if (names.size() != 1) {
                throw new AssertionError("expected one machine, got " + names);
            }
            return names.getFirst();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    ProcessProvider provider(String... namesAndValues) {
        return new ProcessProvider(options(namesAndValues));
    }

    MachineKeeper keeper() {
        return provider().keeper().orElseThrow();
    }

    /** The options by which other processes use this folder. */
    Map<String, String> options(String... namesAndValues) {
        Map<String, String> options = new HashMap<>(Map.of(
                "state", state.toString(),
                "jar", RuntimeCommandLine.jar().toString(),
                "flags", String.join(" ", RuntimeCommandLine.flags()),
                "cache", ""));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return options;
    }

    /** The process of the machine. */
    ProcessHandle process(String machine) {
        try {
            String pid = Files.readAllLines(state.resolve(machine).resolve("process"))
                    .getFirst();
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
