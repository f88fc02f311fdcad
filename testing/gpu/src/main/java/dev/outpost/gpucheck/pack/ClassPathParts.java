package dev.outpost.gpucheck.pack;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.MessageLite;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.FrameChannel;
import dev.outpost.cli.ErrorPrinter;
import dev.outpost.examples.TransformerBlock;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.runtime.cuda.check.CudaChecks;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.torch.ParityPack;
import dev.outpost.types.DType;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import io.smallrye.mutiny.Uni;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import picocli.CommandLine;

/** The parts of this program's class path that {@code gpu-check} needs. The large libraries of the CPU engine are not among them. */
final class ClassPathParts {
    /** A class of each part. JCuda is found by its name, because only the CUDA module uses its classes. */
    private static final List<Class<?>> CLASSES = List.of(
            ClassPathParts.class,
            ParityPack.class,
            ErrorPrinter.class,
            CudaChecks.class,
            EngineComparison.class,
            Engine.class,
            DType.class,
            FrameChannel.class,
            RemoteMachine.class,
            GpuProvider.class,
            MockProvider.class,
            TransformerBlock.class,
            Uni.class,
            ComponentLoader.class,
            Context.class,
            OpenTelemetry.class,
            MpscUnboundedArrayQueue.class,
            Logger.class,
            CommandLine.class,
            MessageLite.class,
            ObjectMapper.class,
            JsonGenerator.class,
            JsonProperty.class);

    private static final String JCUDA = "jcuda-";

    private ClassPathParts() {}

    /** Copies the jars into the folder, and packs folders of classes as jars. */
    static void copyTo(Path folder) throws IOException {
        List<Path> parts = list();
        for (int i = 0; i < parts.size(); i++) {
            copy(parts.get(i), folder, i);
        }
    }

    private static void copy(Path part, Path folder, int number) throws IOException {
        if (Files.isDirectory(part)) {
            // All folders of classes have the same name.
            String jar = folder.resolve("outpost-" + number + ".jar").toString();
            JdkTool.run("jar", "--create", "--file", jar, "-C", part.toString(), ".");
        } else {
            Files.copy(part, folder.resolve(part.getFileName()));
        }
    }

    private static List<Path> list() {
        Stream<Path> jcuda = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(part -> part.getFileName().toString().startsWith(JCUDA));
        return Stream.concat(CLASSES.stream().map(ClassPathParts::origin), jcuda)
                .toList();
    }

    private static Path origin(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
