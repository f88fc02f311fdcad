package dev.outpost.torch;

import dev.outpost.HostTensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder with cases.jsonl and tensors.safetensors: calls, and PyTorch's answers. */
public final class ParityPack implements AutoCloseable {
    private final List<ParityCase> cases;
    private final ParitySafetensors tensors;

    private ParityPack(List<ParityCase> cases, ParitySafetensors tensors) {
        this.cases = cases;
        this.tensors = tensors;
    }

    public static ParityPack open(Path folder) throws IOException {
        List<ParityCase> cases;
        try (Stream<String> lines = Files.lines(folder.resolve("cases.jsonl"))) {
            cases = lines.filter(line -> !line.isBlank())
                    .map(ParityCaseReader::read)
                    .toList();
        }
        return new ParityPack(cases, ParitySafetensors.open(folder.resolve("tensors.safetensors")));
    }

    public List<ParityCase> cases() {
        return cases;
    }

    public HostTensor tensor(String name) {
        try {
            return tensors.tensor(name);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        tensors.close();
    }
}
