package dev.outpost.serving.program;

import dev.outpost.HostTensor;
import dev.outpost.io.Npy;
import dev.outpost.io.Safetensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** The binary formats of the tensors of a call. */
enum ProgramBody {
    /** One NumPy array, for programs with one input or one output. */
    NPY("application/x-npy") {
        @Override
        List<HostTensor> read(byte[] body) throws IOException {
            return List.of(Npy.read(new ByteArrayInputStream(body)));
        }

        @Override
        byte[] write(List<HostTensor> outputs) throws IOException {
            if (outputs.size() != 1) {
                throw new IllegalArgumentException("Accept: " + type() + " holds one array, and the program answers "
                        + outputs.size() + "; ask for " + SAFETENSORS.type() + " or application/json");
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Npy.write(bytes, outputs.getFirst());
            return bytes.toByteArray();
        }
    },

    /** Tensors {@code input0}, {@code input1} and so on, and {@code output0} and so on. */
    SAFETENSORS("application/vnd.safetensors") {
        @Override
        List<HostTensor> read(byte[] body) throws IOException {
            return inFile(file -> {
                Files.write(file, body);
                SequencedMap<String, HostTensor> tensors = Safetensors.read(file);
                List<HostTensor> inputs = new ArrayList<>();
                while (tensors.containsKey("input" + inputs.size())) {
                    inputs.add(tensors.remove("input" + inputs.size()));
                }
                if (!tensors.isEmpty()) {
                    throw new IllegalArgumentException("inputs: expected tensors input0, input1 and so on, got "
                            + tensors.firstEntry().getKey());
                }
                return inputs;
            });
        }

        @Override
        byte[] write(List<HostTensor> outputs) throws IOException {
            Map<String, HostTensor> tensors = new LinkedHashMap<>();
            outputs.forEach(output -> tensors.put("output" + tensors.size(), output));
            return inFile(file -> {
                Safetensors.write(file, tensors);
                return Files.readAllBytes(file);
            });
        }
    };

    private final String type;

    ProgramBody(String type) {
        this.type = type;
    }

    /** Returns the media type. */
    String type() {
        return type;
    }

    abstract List<HostTensor> read(byte[] body) throws IOException;

    abstract byte[] write(List<HostTensor> outputs) throws IOException;

    /** An action on a file. */
    private interface Work<T> {
        T with(Path file) throws IOException;
    }

    private static <T> T inFile(Work<T> work) throws IOException {
        Path file = Files.createTempFile("outpost-call", ".safetensors");
        try {
            return work.with(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    List<HostTensor> readBody(byte[] body) {
        try {
            return read(body);
        } catch (IOException failure) {
            throw new IllegalArgumentException("the body is cut: " + failure.getMessage(), failure);
        }
    }

    byte[] written(List<HostTensor> outputs) {
        try {
            return write(outputs);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
