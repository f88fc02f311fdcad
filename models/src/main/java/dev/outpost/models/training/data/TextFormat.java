package dev.outpost.models.training.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.models.CausalLM;
import dev.outpost.models.ChatMessage;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Converts a line of a data set to tokens. Thread-safe. */
@FunctionalInterface
public interface TextFormat {
    /**
     * Returns the tokens of a line.
     *
     * @throws OutpostException if the line is malformed; the message says how
     */
    TokenizedText tokens(String line);

    /** Returns the format in which each line is a text. The model's end-of-text token is added. */
    static TextFormat lines(CausalLM model) {
        return line -> TokenizedText.of(ended(model, model.tokenizer().encode(line)));
    }

    /**
     * Returns the format in which each line is a JSON object. The object has one of four forms. {@code {"text"}} has a text.
     * {@code {"prompt", "completion"}} has a completion that is learned. {@code {"messages": [{"role", "content"}]}} is written by the
     * model's chat template, and the last message is learned. {@code {"ids"}} has tokens, optionally after {@code "prompt_ids"}, which are
     * not learned.
     */
    static TextFormat json(CausalLM model) {
        return new JsonLines(model);
    }

    private static int[] ended(CausalLM model, int[] ids) {
        int end = model.ends().stream().min(Integer::compare).orElse(-1);
        if (end < 0 || ids.length > 0 && model.ends().contains(ids[ids.length - 1])) {
            return ids;
        }
        int[] ended = Arrays.copyOf(ids, ids.length + 1);
        ended[ids.length] = end;
        return ended;
    }

    /** @param model provides the tokenizer, the end-of-text token and the chat template */
    record JsonLines(CausalLM model) implements TextFormat {
        private static final JsonMapper MAPPER = JsonMapper.builder().build();

        @Override
        public TokenizedText tokens(String line) {
            JsonNode json = parse(line);
            if (json.has("ids")) {
                return ofIds(json);
            }
            if (json.has("prompt") && json.has("completion")) {
                int[] prompt = model.tokenizer().encode(json.get("prompt").asText());
                int[] completion =
                        model.tokenizer().encode(json.get("completion").asText(), false);
                return TokenizedText.behind(prompt.length, ended(model, joined(prompt, completion)));
            }
            if (json.has("messages")) {
                return ofMessages(json.get("messages"));
            }
            if (json.has("text")) {
                return TokenizedText.of(
                        ended(model, model.tokenizer().encode(json.get("text").asText())));
            }
            throw problem("expected a member ids, text, prompt and completion, or messages, got "
                    + json.propertyStream().map(java.util.Map.Entry::getKey).toList());
        }

        private static JsonNode parse(String line) {
            try {
                JsonNode json = MAPPER.readTree(line);
                if (json.isObject()) {
                    return json;
                }
            } catch (JsonProcessingException failure) {
                throw problem("the line is no JSON: " + failure.getOriginalMessage());
            }
            throw problem("the line is no JSON object");
        }

        private static OutpostException problem(String what) {
            return new OutpostException(FaultKind.USER, what);
        }

        private TokenizedText ofIds(JsonNode json) {
            int[] prompt = json.has("prompt_ids") ? ids(json.get("prompt_ids")) : new int[0];
            return TokenizedText.behind(prompt.length, joined(prompt, ids(json.get("ids"))));
        }

        private int[] ids(JsonNode array) {
            int[] ids = new int[array.size()];
            for (int place = 0; place < ids.length; place++) {
                JsonNode id = array.get(place);
                if (!id.isInt() || id.intValue() < 0 || id.intValue() >= vocabulary()) {
                    throw problem("expected tokens from 0 to " + (vocabulary() - 1) + ", got " + id);
                }
                ids[place] = id.intValue();
            }
            return ids;
        }

        private int vocabulary() {
            return model.config().integer("vocab_size");
        }

        private TokenizedText ofMessages(JsonNode messages) {
            List<ChatMessage> all = new ArrayList<>();
            for (JsonNode message : messages) {
                all.add(new ChatMessage(
                        message.path("role").asText(), message.path("content").asText()));
            }
            if (all.isEmpty() || !all.getLast().role().equals("assistant")) {
                throw problem("the last message must be the assistant's, because the model learns it");
            }
            String before = model.chatTemplate().render(all.subList(0, all.size() - 1));
            int[] prompt = model.tokenizer().encode(before, false);
            int[] answer = model.tokenizer().encode(answer(before, all), false);
            return TokenizedText.behind(prompt.length, ended(model, joined(prompt, untilEnd(answer))));
        }

        /**
         * Returns the last message as the template writes it, including the text after it; the plain message if the template
         * changes the text before.
         */
        private String answer(String before, List<ChatMessage> all) {
            String whole = model.chatTemplate().renderWhole(all);
            return whole.startsWith(before)
                    ? whole.substring(before.length())
                    : all.getLast().content();
        }

        /** Returns the tokens up to and including the first token that ends a text, because generation stops there. */
        private int[] untilEnd(int[] ids) {
            int end = 0;
            while (end < ids.length && !model.ends().contains(ids[end])) {
                end++;
            }
            return Arrays.copyOf(ids, Math.min(end + 1, ids.length));
        }

        private static int[] joined(int[] first, int[] second) {
            return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
        }
    }
}
