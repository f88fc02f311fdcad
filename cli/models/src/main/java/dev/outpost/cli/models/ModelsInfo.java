package dev.outpost.cli.models;

import dev.outpost.RemoteMachine;
import dev.outpost.cli.MachineChoice;
import dev.outpost.cli.support.TextTable;
import dev.outpost.cli.top.ShortNumbers;
import dev.outpost.models.ModelInfo;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.source.Source;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Describes a model from its configuration and the headers of its files. Reads no weights. */
@Command(name = "info", description = "Tell architecture, parameters, dtypes, memory, and on which GPUs a model fits.")
final class ModelsInfo implements Runnable {
    private static final int MAX_GPUS = 5;

    @Mixin
    private MachineChoice machine;

    @Parameters(paramLabel = "URI", description = "Where the model is; the machine reads it.")
    private String uri;

    @Option(
            names = "--quantize",
            converter = QuantizationConverter.class,
            paramLabel = "int8|int4",
            description = "Tell what it takes with its weights quantized as they are read.")
    private Quantization quantize;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        try (RemoteMachine opened = ModelChoice.open(machine, uri)) {
            Source source = opened.open(uri);
            ModelInfo info = ModelInfo.of(source, quantize);
            TextTable table = new TextTable("MODEL", source.uri());
            table.row("architecture", info.modelType() + (info.isKnown() ? "" : " (not known to generate)"));
            table.row("parameters", String.format(Locale.ROOT, "%,d", info.parameters()));
            table.row("stored as", dtypes(info));
            table.row("weights", ShortNumbers.bytes(info.weightBytes()));
            if (info.quantization() != null) {
                table.row(
                        "quantized",
                        info.quantization().bits() + " bits" + layout(info.quantization()) + ", which saves "
                                + ShortNumbers.bytes(info.savedBytes()));
            }
            if (info.cacheBytesPerToken() > 0) {
                table.row("cache of a token", ShortNumbers.bytes(info.cacheBytesPerToken()));
                table.row("positions", String.format(Locale.ROOT, "%,d", info.positions()));
            }
            table.row(
                    "memory needed",
                    ShortNumbers.bytes(info.neededBytes()) + " with " + ModelInfo.TEXT + " tokens of text");
            table.row("fits on", gpus(info.neededBytes()));
            source.skippedFiles().forEach((file, reason) -> table.row("left out", file + ": " + reason));
            skippedTensors(source).ifPresent(text -> table.row("left out", text));
            PrintWriter out = spec.commandLine().getOut();
            table.lines().forEach(out::println);
            out.flush();
        }
    }

    private static String layout(Quantization how) {
        String groups = how.group() == Integer.MAX_VALUE ? "" : " in groups of " + how.group();
        return switch (how.layout()) {
            case NONE -> groups;
            case GPTQ, GPTQ_V2 -> groups + ", stored as by GPTQ";
            case AWQ -> groups + ", stored as by AWQ";
        };
    }

    private static Optional<String> skippedTensors(Source source) {
        Map<String, String> skipped = source.skippedTensors();
        return skipped.entrySet().stream()
                .findFirst()
                .map(first -> skipped.size() + " tensors, such as " + first.getKey() + ": " + first.getValue());
    }

    private static String dtypes(ModelInfo info) {
        return info.elements().entrySet().stream()
                .map(entry -> String.format(Locale.ROOT, "%s (%,d)", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the first matching GPUs in the order of the catalogue, which begins with GPUs of data centres. The list
     * is cut, because a small model fits on most GPUs.
     */
    private static String gpus(long bytes) {
        List<GpuType> fitting = GpuCatalogue.configured().types().stream()
                .filter(gpu -> gpu.assuredMemory() >= bytes)
                .toList();
        if (fitting.isEmpty()) {
            return "none of the catalogue";
        }
        String named = fitting.stream().limit(MAX_GPUS).map(GpuType::name).collect(Collectors.joining(", "));
        int more = fitting.size() - MAX_GPUS;
        return more > 0 ? named + ", and " + more + " more" : named;
    }
}
