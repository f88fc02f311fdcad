package dev.outpost.cli.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.MachineChoice;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.top.TopCommand;
import dev.outpost.models.EndSignals;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.metrics.TrainingProgress;
import dev.outpost.models.training.tuning.FineTune;
import dev.outpost.models.training.tuning.FineTuneConfig;
import dev.outpost.provider.NearestName;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Fine-tunes a model according to a file of settings. An interrupted run continues from its newest checkpoint. */
@Command(
        name = "train",
        description = "Fine-tune a language model as a file says; docs/training.md has what it may say.")
final class TrainCommand implements Callable<Integer> {
    private static final ObjectMapper MAPPER = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    /** The base of exit statuses after a signal, as in shells. */
    private static final int SIGNALLED = 128;

    @Mixin
    private MachineChoice machine;

    @Parameters(paramLabel = "FILE", description = "What to train, in YAML.")
    private Path file;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        FineTuneConfig config = read(file);
        PrintWriter out = spec.commandLine().getOut();
        AtomicInteger signal = new AtomicInteger();
        try (RemoteMachine opened = open(config)) {
            opened.awaitReady();
            FineTune tuning = new FineTune(opened, config);
            FineTune.Result result;
            try (EndSignals signals = EndSignals.handle(number -> end(tuning, signal, number));
                    CommandProgress.Task loading = ModelLoading.show(opened.open(config.model()))) {
                result = tuning.run(
                        List.of(new LoadingEnd(loading), new TrainingProgress(out, TopCommand.isTerminal())));
            }
            out.println(
                    result.result() == null ? "the same command goes on from there" : "saved to " + result.result());
            out.flush();
            return result.result() == null ? SIGNALLED + signal.get() : 0;
        }
    }

    /**
     * Handles a signal: after the first signal the command writes a checkpoint and ends, after the second it ends
     * without waiting for the checkpoint.
     */
    private static void end(FineTune tuning, AtomicInteger signal, int number) {
        if (signal.getAndSet(number) != 0) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
        tuning.stop();
    }

    /** Ends the progress of loading when training begins, which has its own. */
    private record LoadingEnd(CommandProgress.Task loading) implements TrainingListener {
        @Override
        public void began(long step, long all) {
            loading.close();
        }
    }

    private RemoteMachine open(FineTuneConfig config) {
        String data = Stream.of(config.data().train(), config.data().evaluation())
                .filter(place -> place != null && place.matches("[a-z][a-z0-9+.-]+:.*"))
                .collect(Collectors.joining(","));
        String sources = config.model() + "," + config.output() + (data.isEmpty() ? "" : "," + data);
        return ModelChoice.open(machine, sources, new MachineOptions());
    }

    static FineTuneConfig read(Path file) {
        try {
            FineTuneConfig config = MAPPER.readValue(Files.readString(file), FineTuneConfig.class);
            if (config == null) {
                throw new OutpostException(FaultKind.USER, "train: " + file + " is empty");
            }
            return config;
        } catch (UnrecognizedPropertyException failure) {
            throw new OutpostException(
                    FaultKind.USER, file + ", line " + line(failure) + ": " + unknownKey(failure), failure);
        } catch (JsonMappingException failure) {
            if (failure.getCause() instanceof OutpostException known) {
                throw new OutpostException(FaultKind.USER, file + ": " + known.getMessage(), known);
            }
            throw new OutpostException(
                    FaultKind.USER,
                    file + ", line " + line(failure) + ": " + place(failure) + failure.getOriginalMessage(),
                    failure);
        } catch (JsonProcessingException failure) {
            throw new OutpostException(
                    FaultKind.USER,
                    file + ", line " + line(failure) + ", is no YAML: " + failure.getOriginalMessage(),
                    failure);
        } catch (IOException failure) {
            throw new UncheckedIOException(file + " cannot be read", failure);
        }
    }

    private static String unknownKey(UnrecognizedPropertyException unknown) {
        List<String> known = unknown.getKnownPropertyIds().stream()
                .map(String::valueOf)
                .sorted()
                .toList();
        List<JsonMappingException.Reference> path = unknown.getPath();
        String section = path.subList(0, path.size() - 1).stream()
                .map(JsonMappingException.Reference::getFieldName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
        return NearestName.sentence("key", unknown.getPropertyName(), known) + " Known keys"
                + (section.isEmpty() ? "" : " of " + section) + ": " + String.join(", ", known);
    }

    /** Returns the line number of the error, from 1. */
    private static int line(JsonProcessingException wrong) {
        return wrong.getLocation() == null ? 1 : wrong.getLocation().getLineNr();
    }

    private static String place(JsonMappingException wrong) {
        String path = wrong.getPath().stream()
                .map(JsonMappingException.Reference::getFieldName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "" : path + ": ";
    }
}
