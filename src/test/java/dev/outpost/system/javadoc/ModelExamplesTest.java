package dev.outpost.system.javadoc;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.ChatMessage;
import dev.outpost.models.ChatTemplate;
import dev.outpost.models.CrossEncoder;
import dev.outpost.models.Embedder;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Examples of the Javadoc of language models. */
class ModelExamplesTest extends JavadocExamples {
    private static final Path MODELS =
            Path.of("../../models/src/test/resources/fixtures").toAbsolutePath().normalize();

    @BeforeAll
    static void startWithSources() {
        machine.close();
        machine = RemoteMachine.of("mock", "A100", new MachineOptions().option("sources", "file:" + MODELS));
    }

    private static String folder(String model) {
        return "file:" + MODELS.resolve(model);
    }

    @Test
    void load() {
        String uri = folder("text");
        // @start region="load"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            TextStream text = llm.generate("the man", Sampling.greedy().maxTokens(4));
            text.toEnd();
            println(text.ids().size() <= 4); // true
        }
        // @end
    }

    @Test
    void logits() {
        String uri = folder("text");
        // @start region="logits"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            Tensor ids = machine.tensor(new long[] {5, 6, 7}, 1, 3);
            println(llm.logits(ids).shape()); // [1, 3, 320]
        }
        // @end
    }

    @Test
    void generateTokens() {
        String uri = folder("text");
        // @start region="generateTokens"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            Sampling greedy = Sampling.greedy().maxTokens(3).ignoreEnd();
            List<int[]> texts = llm.generate(List.of(new int[] {5, 6}, new int[] {7}), greedy)
                    .toEnd();
            println(texts.size() + " texts of " + texts.getFirst().length + " tokens"); // 2 texts of 3 tokens
        }
        // @end
    }

    @Test
    void tokenizer() {
        String uri = folder("text");
        // @start region="tokenizer"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            int[] ids = llm.tokenizer().encode("the man");
            println(llm.tokenizer().decode(ids)); // the man
        }
        // @end
    }

    @Test
    void chat() {
        String uri = folder("text");
        // @start region="chat"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            List<ChatMessage> messages = List.of(ChatMessage.user("the man"));
            println(llm.chat(messages, Sampling.greedy().maxTokens(4)).toEnd().isEmpty()); // false
        }
        // @end
    }

    @Test
    void regex() {
        String uri = folder("text");
        // @start region="regex"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            Sampling drawn = Sampling.temperature(1).seed(1).maxTokens(20);
            println(llm.generate("the man", drawn, llm.regex("[0-9]{3}"))
                    .toEnd()
                    .matches("[0-9]{3}")); // true
        }
        // @end
    }

    @Test
    void sampling() {
        // @start region="sampling"
        Sampling sampling = Sampling.temperature(0.7).topP(0.9).maxTokens(200);
        println(sampling.temperature() + " " + sampling.topP() + " " + sampling.maxTokens()); // 0.7 0.9 200
        // @end
    }

    @Test
    void chatTemplate() {
        // @start region="chatTemplate"
        ChatTemplate template = ChatTemplate.parse(
                "example", "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}", Map.of());
        println(template.render(List.of(ChatMessage.user("Hello")))); // <user>Hello
        // @end
    }

    @Test
    void embed() {
        String uri = folder("embedder");
        // @start region="embed"
        try (Embedder embedder = Embedder.load(machine, uri)) {
            float[][] vectors = embedder.embed(List.of("a text", "another one"));
            println(vectors.length + " vectors of " + embedder.features() + " elements"); // 2 vectors of 16 elements
        }
        // @end
    }

    @Test
    void score() {
        String uri = folder("reranker");
        // @start region="score"
        try (CrossEncoder reranker = CrossEncoder.load(machine, uri)) {
            println(reranker.score("a query", List.of("a text", "another one")).length + " scores"); // 2 scores
        }
        // @end
    }

    @Test
    void lora() {
        String uri = folder("text");
        // @start region="lora"
        try (CausalLM llm = CausalLM.load(machine, uri)) {
            LoraAdapter adapter =
                    LoraAdapter.on(llm.module(), LoraConfig.rank(2).targets("q_proj", "v_proj"));
            println(adapter.layers().firstEntry().getKey()); // model.layers.0.self_attn.q_proj
            adapter.close();
        }
        // @end
    }
}
