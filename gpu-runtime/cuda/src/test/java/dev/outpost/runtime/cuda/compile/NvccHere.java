package dev.outpost.runtime.cuda.compile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** CUDA's compiler as a program. */
record NvccHere(Path program) implements KernelCompilers {
    private static final Pattern ARCHITECTURE = Pattern.compile("compute_(\\d+)\\b");

    /** Finds the first compiler on a PATH. */
    static Optional<KernelCompilers> find(String path) {
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, "nvcc"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(NvccHere::new);
    }

    @Override
    public List<Integer> architectures() {
        String told = run(List.of(program.toString(), "--list-gpu-arch"), "nvcc");
        return ARCHITECTURE
                .matcher(told)
                .results()
                .map(MatchResult::group)
                .map(name -> Integer.valueOf(name.substring("compute_".length())))
                .toList();
    }

    @Override
    public byte[] compile(String source, int architecture) {
        try {
            Path folder = Files.createTempDirectory("nvcc");
            Path text = Files.writeString(folder.resolve("outpost.cu"), source);
            Path image = folder.resolve("outpost.cubin");
            List<String> command = List.of(
                    program.toString(),
                    "--cubin",
                    "--gpu-architecture=sm_" + architecture,
                    "--fmad=false",
                    "--disable-warnings",
                    // Of C's functions it knows the host's forms, too, some of which are constant expressions.
                    "--expt-relaxed-constexpr",
                    "--output-file=" + image,
                    text.toString());
            try {
                run(command, "outpost.cu");
                return Files.readAllBytes(image);
            } finally {
                for (Path file : List.of(text, image, folder)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String run(List<String> command, String what) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new CompilationException(what + ": does not compile:", text.strip());
            }
            return text;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nvcc was not waited for", interrupted);
        }
    }
}
