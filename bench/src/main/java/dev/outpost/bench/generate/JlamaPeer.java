package dev.outpost.bench.generate;

import com.github.tjake.jlama.model.AbstractModel;
import com.github.tjake.jlama.model.ModelSupport;
import com.github.tjake.jlama.model.functions.Generator;
import com.github.tjake.jlama.safetensors.DType;
import com.github.tjake.jlama.safetensors.prompt.PromptContext;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Jlama with float32 weights, as a {@link PeerProcess}. Generates one text at a time; the prompt has one letter for each
 * token.
 */
final class JlamaPeer {
    private JlamaPeer() {}

    public static void main(String... arguments) throws IOException {
        AbstractModel model = ModelSupport.loadModel(new File(arguments[0]), DType.F32, DType.F32);
        System.out.println("ready jlama-core 0.8.4");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split(" ");
            int promptTokens = Integer.parseInt(parts[1]);
            int newTokens = Integer.parseInt(parts[2]);
            // Jlama adds a token before the text.
            PromptContext prompt =
                    PromptContext.of("abcdefgh".repeat(promptTokens / 8).substring(1));
            Generator.Response said =
                    model.generate(UUID.randomUUID(), prompt, 0, promptTokens + newTokens, (text, time) -> {});
            System.out.println("rates " + said.promptTokens + " " + said.promptTimeMs * 1_000_000L + " "
                    + said.generatedTokens + " " + said.generateTimeMs * 1_000_000L);
        }
    }
}
