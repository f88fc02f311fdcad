package dev.outpost.models;

import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.jinja.JinjaException;
import dev.outpost.models.jinja.JinjaTemplate;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The template that writes a conversation as a prompt in the form that a model expects. It comes with the model, as {@code
 * chat_template.jinja} or within {@code tokenizer_config.json}. Immutable and thread-safe.
 */
public final class ChatTemplate {
    private static final String FILE = "chat_template.jinja";
    private static final String CONFIG = "tokenizer_config.json";
    private static final String KEY = "chat_template";
    private static final List<String> SPECIAL_TOKENS =
            List.of("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token");

    private final String name;
    private final JinjaTemplate template;
    private final Map<String, Object> specialTokens;

    private ChatTemplate(String name, JinjaTemplate template, Map<String, Object> specialTokens) {
        this.name = name;
        this.template = template;
        this.specialTokens = specialTokens;
    }

    /** True if a model comes with a chat template. Waits for a file. */
    public static boolean isIn(Source source) {
        return source.files().containsKey(FILE)
                || config(source).flatMap(ChatTemplate::text).isPresent();
    }

    /** Reads the chat template of a model. Fails if the model comes without one. Waits for the file. */
    public static ChatTemplate of(Source source) {
        Optional<ModelConfig> config = config(source);
        String text = source.files().containsKey(FILE)
                ? source.text(FILE)
                : config.flatMap(ChatTemplate::text)
                        .orElseThrow(() -> new OutpostException(
                                FaultKind.USER,
                                source.uri() + ": the model comes without a chat template, so it is given a text"));
        Map<String, Object> tokens = new LinkedHashMap<>();
        config.ifPresent(json ->
                SPECIAL_TOKENS.forEach(token -> token(json, token).ifPresent(is -> tokens.put(token, is))));
        return parse(source.uri(), text, tokens);
    }

    /**
     * Parses a template.
     *
     * @param name the name in error messages, such as the source's URI
     * @param specialTokens the special tokens by their names in templates, such as {@code bos_token}
     */
    public static ChatTemplate parse(String name, String text, Map<String, ?> specialTokens) {
        try {
            return new ChatTemplate(name, JinjaTemplate.parse(text), Map.copyOf(specialTokens));
        } catch (JinjaException failure) {
            throw new OutpostException(
                    FaultKind.USER, name + ": the chat template cannot be used: " + failure.getMessage(), failure);
        }
    }

    private static Optional<ModelConfig> config(Source source) {
        return source.files().containsKey(CONFIG)
                ? Optional.of(ModelConfig.parse(source.uri(), source.text(CONFIG)))
                : Optional.empty();
    }

    /** Returns the template text. Models may have several named ones, for example for tools. */
    private static Optional<String> text(ModelConfig config) {
        var json = config.json().path(KEY);
        if (json.isTextual()) {
            return Optional.of(json.asText());
        }
        return json.valueStream()
                .filter(named -> named.path("name").asText().equals("default"))
                .map(named -> named.path("template").asText())
                .findFirst();
    }

    private static Optional<String> token(ModelConfig config, String key) {
        var json = config.json().path(key);
        var text = json.isObject() ? json.path("content") : json;
        return text.isTextual() ? Optional.of(text.asText()) : Optional.empty();
    }

    /**
     * Returns the text of a conversation, up to the beginning of the model's next message.
     *
     * {@snippet file="ModelExamplesTest.java" region="chatTemplate"}
     */
    public String render(List<ChatMessage> messages) {
        return render(messages.stream().map(ChatMessage::values).toList(), Map.of());
    }

    /** Returns the text of a conversation that ends with its last message. */
    public String renderWhole(List<ChatMessage> messages) {
        return render(messages.stream().map(ChatMessage::values).toList(), Map.of("add_generation_prompt", false));
    }

    /**
     * Returns the text of a conversation whose messages have more members than role and content.
     *
     * @param messages the messages as the template expects them: maps of strings, numbers, booleans, null, lists and maps
     * @param more further variables of the template, such as {@code tools} or {@code enable_thinking}; {@code
     *     add_generation_prompt} is true by default
     */
    public String render(List<? extends Map<String, ?>> messages, Map<String, ?> more) {
        Map<String, Object> values = new LinkedHashMap<>(specialTokens);
        values.put("add_generation_prompt", true);
        // Null as in transformers, because templates test "is none" and not "is defined".
        values.put("tools", null);
        values.put("documents", null);
        values.putAll(more);
        values.put("messages", messages);
        try {
            return template.render(values);
        } catch (JinjaException failure) {
            throw new OutpostException(
                    FaultKind.USER, name + ": the chat template refuses: " + failure.getMessage(), failure);
        }
    }
}
