package dev.outpost.models.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.ModelRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;

/** A tiny model on a machine in this JVM. */
final class BatchFixture implements AutoCloseable {
    final RemoteMachine machine;
    final CausalLM model;
    final ModelRunner runner;

    BatchFixture(String name, int tokens, int maxNumSeqs, int textTokens) {
        this(name, tokens, maxNumSeqs, textTokens, 16);
    }

    /** @param others tokens of texts that are generated beside the runner */
    BatchFixture(String name, int tokens, int maxNumSeqs, int textTokens, int others) {
        machine = RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder()));
        model = CausalLM.load(machine.open("file:" + folder().resolve(name)), null, others);
        runner = new ModelRunner(model, tokens, maxNumSeqs, textTokens);
    }

    static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(BatchFixture.class.getResource("/fixtures"), "fixtures")
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static JsonNode expected(String name) {
        try {
            return JsonMapper.builder()
                    .build()
                    .readTree(folder().resolve(name).resolve("expected.json").toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static int[] ids(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    int[] prompt(Random random, int length) {
        return random.ints(length, 0, runner.vocabulary()).toArray();
    }

    @Override
    public void close() {
        runner.close();
        model.close();
        machine.close();
    }
}
