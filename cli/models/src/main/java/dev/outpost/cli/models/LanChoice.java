package dev.outpost.cli.models;

import dev.outpost.models.lan.LanModel;
import dev.outpost.models.pipeline.DecoderPipelineOptions;
import dev.outpost.provider.lan.Workers;
import dev.outpost.types.DType;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that split a model over workers of the local network. */
final class LanChoice {
    private static final Duration LOOK = Duration.ofSeconds(3);

    @Option(
            names = "--workers",
            paramLabel = "lan",
            description = "Cut the model over the paired workers of the local network, in place of --machine.")
    private String workers;

    @Option(
            names = "--stages",
            paramLabel = "N",
            description = "With --workers lan: use so many workers; the fewest that have room unless given.")
    private Integer stages;

    boolean isChosen(CommandLine command) {
        if (workers == null && stages != null) {
            throw new ParameterException(command, "--stages is for --workers lan");
        }
        if (workers != null && !workers.equals("lan")) {
            throw new ParameterException(command, "--workers: expected lan, got " + workers);
        }
        return workers != null;
    }

    Workers discover() {
        return Workers.discover(LOOK);
    }

    LanModel load(Workers found, String uri, DType dtype) {
        DecoderPipelineOptions options = new DecoderPipelineOptions().dtype(dtype);
        return LanModel.load(found, uri, stages == null ? options : options.stages(stages));
    }
}
