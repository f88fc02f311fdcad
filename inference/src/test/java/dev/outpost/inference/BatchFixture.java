package dev.outpost.inference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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
        machine = machine();
        model = CausalLM.load(machine.open(uri(name)), null, others);
        runner = new ModelRunner(model, tokens, maxNumSeqs, textTokens);
    }

    static Path folder() {
        return Path.of("..", "models", "src", "test", "resources", "fixtures")
                .toAbsolutePath()
                .normalize();
    }

    static String uri(String name) {
        return "file:" + folder().resolve(name);
    }

    /** A machine in this JVM that may open the fixtures. */
    static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder()));
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
