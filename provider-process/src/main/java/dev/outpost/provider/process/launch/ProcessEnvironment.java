package dev.outpost.provider.process.launch;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The variables that processes of machines inherit: a fixed list, and those that the settings name. All others may be secrets.
 *
 * @param all the variables of this process
 * @param named the names of further variables, from the settings
 */
public record ProcessEnvironment(Map<String, String> all, List<String> named) {
    private static final Set<String> ALWAYS = Set.of(
            "PATH",
            "HOME",
            "LANG",
            "LANGUAGE",
            "TZ",
            "LD_LIBRARY_PATH",
            "PYTHONPATH",
            DebugLog.VARIABLE,
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            // Do not use the whole prefix: it also covers NVIDIA_API_KEY.
            "NVIDIA_VISIBLE_DEVICES",
            "NVIDIA_DRIVER_CAPABILITIES",
            "NVIDIA_TF32_OVERRIDE");

    private static final List<String> ALWAYS_BY_PREFIX = List.of("LC_", "CUDA_", "NCCL_", "OUTPOST_CUDA_");

    /** The credentials of the user, which only the user's own machines inherit. */
    private static final List<String> OF_OWN_MACHINES = List.of(
            "AWS_",
            "HF_",
            "HUGGING_FACE_",
            "OTEL_",
            "XDG_",
            "http_",
            "https_",
            "no_proxy",
            "HTTP_",
            "HTTPS_",
            "NO_PROXY");

    private static final String HOME = "HOME";

    /** Returns the environment of this process. */
    public static ProcessEnvironment ofThisProcess(List<String> named) {
        return new ProcessEnvironment(System.getenv(), named);
    }

    Map<String, String> of(MachineFolder machine) {
        boolean isOwn = !(machine.record().keeper() instanceof Keeper.Fleet);
        List<String> prefixes = isOwn
                ? Stream.concat(ALWAYS_BY_PREFIX.stream(), OF_OWN_MACHINES.stream())
                        .toList()
                : ALWAYS_BY_PREFIX;
        Map<String, String> inherited = new HashMap<>(all);
        inherited
                .keySet()
                .removeIf(name -> !ALWAYS.contains(name)
                        && !named.contains(name)
                        && prefixes.stream().noneMatch(name::startsWith));
        if (machine.isolation().isPresent()) {
            inherited.put(HOME, machine.path().resolve(MachineFolder.JOB).toString());
        }
        DebugLog.setting().ifPresent(components -> inherited.put(DebugLog.VARIABLE, components));
        machine.record().device().ifPresent(uuid -> inherited.put("CUDA_VISIBLE_DEVICES", uuid));
        return inherited;
    }
}
