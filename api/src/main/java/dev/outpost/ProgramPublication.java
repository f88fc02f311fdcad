package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.publish.ProgramFile;
import dev.outpost.internal.publish.ProgramTraces;
import dev.outpost.provider.Lease;
import dev.outpost.provider.ProgramPackage;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Publishes a program: traces it, writes the trace into a file, and passes the file to the machine's provider. */
final class ProgramPublication {
    private static final String NAME = "[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?";

    private ProgramPublication() {}

    static PublishedProgram publish(Lease lease, RemoteMachine machine, String name, Program program) {
        requireName(ArgumentChecks.required(name, "the name"));
        List<TensorType> types = ArgumentChecks.required(program, "the program").inputTypes();
        ProgramFile traced = traced(machine, program, types);
        PublishedProgram published = new PublishedProgram(name, traced.inputs(), traced.outputs(), traced.maxRows());
        send(lease, traced, published);
        return published;
    }

    private static void requireName(String name) {
        if (!name.matches(NAME)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "publish: expected a name of 1 to 40 lower-case letters, digits and inner dashes, got \"" + name
                            + "\"");
        }
    }

    private static ProgramFile traced(RemoteMachine machine, Program program, List<TensorType> types) {
        try {
            return ProgramTraces.of(machine, program.body(), types);
        } catch (OutpostException failure) {
            throw new OutpostException(failure.kind(), "publish: " + failure.getMessage(), failure);
        }
    }

    private static void send(Lease lease, ProgramFile traced, PublishedProgram published) {
        Path file = null;
        try {
            file = Files.createTempFile("outpost-program", ".safetensors");
            traced.write(file);
            lease.publish(new ProgramPackage(
                            published.name(),
                            file,
                            texts(published.inputs()),
                            texts(published.outputs()),
                            published.maxRows()))
                    .await()
                    .indefinitely();
        } catch (IOException failure) {
            throw new UncheckedIOException("publish: the program cannot be written to a file here", failure);
        } finally {
            remove(file);
        }
    }

    private static List<String> texts(List<TensorType> types) {
        return types.stream().map(TensorType::toString).toList();
    }

    private static void remove(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
