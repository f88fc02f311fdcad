package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The Llama family (Touvron et al., 2023) by configuration: Llama 2 and 3, SmolLM and SmolLM 3, Mistral, Mixtral, Qwen 2 and 3, Gemma 2 and
 * 3, Phi 3. A block has attention with rotary positions and grouped heads, and a gated feed-forward net. Each follows a root-mean-square
 * norm. Parameters have the names of transformers' files.
 */
final class Llama extends Decoder {
    private final LlamaConfig config;
    private final Body model;
    private final Linear head;

    Llama(LlamaConfig config) {
        this.config = config;
        model = register("model", new Body());
        head = config.isTied() ? null : register("lm_head", new Linear(config.hidden(), config.vocabulary(), false));
    }

    @Override
    public void prepare(RemoteMachine machine, long positions, boolean isLong) {
        RotaryEmbedding global = config.rotary(false, isLong);
        model.global = global.tables(machine, positions);
        model.local = config.hasLocalRotary() ? config.rotary(true, isLong).tables(machine, positions) : model.global;
    }

    @Override
    public boolean isLong(long tokens) {
        return config.isLong(tokens);
    }

    @Override
    public List<PagedKvCache.HeadShape> cacheShapes() {
        return Collections.nCopies(
                config.layers(), new PagedKvCache.HeadShape(config.groups(), config.headSize(), config.headSize()));
    }

    @Override
    public int vocabulary() {
        return config.vocabulary();
    }

    @Override
    public int mostPositions() {
        return config.mostPositions();
    }

    @Override
    public String layersName() {
        return "model.layers";
    }

    @Override
    public List<String> embeddingNames() {
        return List.of("model.embed_tokens");
    }

    @Override
    public List<String> headNames() {
        return List.of("model.norm", head == null ? "model.embed_tokens" : "lm_head");
    }

    @Override
    public int features() {
        return config.hidden();
    }

    @Override
    public Tensor embed(Tensor ids, KeyValues past) {
        return model.embed(ids);
    }

    @Override
    public Tensor layers(Tensor x, int first, int end, KeyValues past) {
        return model.layers(x, first, end, past);
    }

    @Override
    public Tensor normalized(Tensor x) {
        return model.norm.forward(x);
    }

    @Override
    public Tensor logits(Tensor hidden) {
        return Scope.tidy(() -> {
            Tensor scores = head == null
                    ? Functional.linear(hidden, model.tokens.weight().tensor(), null)
                    : head.forward(hidden);
            double cap = config.logitCap();
            return cap == 0 ? scores : scores.div(cap).tanh().mul(cap);
        });
    }

    /** The model without the head. */
    private final class Body extends Module {
        private final Embedding tokens = register("embed_tokens", new Embedding(config.vocabulary(), config.hidden()));
        private final List<Block> blocks = new ArrayList<>();
        private final Norm norm;
        private RotaryEmbedding.Tables global;
        private RotaryEmbedding.Tables local;

        Body() {
            for (int layer = 0; layer < config.layers(); layer++) {
                blocks.add(new Block(layer));
            }
            register("layers", new ModuleList<>(blocks));
            norm = register("norm", new Norm(config.hidden()));
        }

        Tensor embed(Tensor ids) {
            return Scope.tidy(() -> {
                Tensor x = tokens.forward(ids);
                return config.embeddingScale() == 1
                        ? x
                        : x.mul(x.machine().scalar(config.embeddingScale()).to(x.dtype()));
            });
        }

        Tensor layers(Tensor from, int first, int end, KeyValues past) {
            return Scope.tidy(() -> {
                RotaryEmbedding.Turn turn = global.at(past.positions());
                RotaryEmbedding.Turn near = local == global ? turn : local.at(past.positions());
                Tensor x = from;
                for (Block block : blocks.subList(first, end)) {
                    RotaryEmbedding.Turn own = config.window(block.layer) == 0 ? turn : near;
                    x = ofLayer(block, x, own.tensors(), past);
                }
                return x;
            });
        }
    }

    private final class Block extends Module implements LayerCall {
        private final int layer;
        private final Attention attention = register("self_attn", new Attention());
        private final Module feedForward;
        private final Norm beforeAttention = register("input_layernorm", new Norm(config.hidden()));
        /** The norm before the feed-forward net; in Gemma, which has norms on both sides, the norm after attention. */
        private final Norm afterAttention = register("post_attention_layernorm", new Norm(config.hidden()));

        private final Norm beforeFeedForward;
        private final Norm afterFeedForward;

        Block(int layer) {
            this.layer = layer;
            feedForward = config.experts() > 0
                    ? register("block_sparse_moe", new Experts())
                    : register("mlp", new FeedForward());
            boolean isGemma = config.hasNormsBehind();
            beforeFeedForward = isGemma ? register("pre_feedforward_layernorm", new Norm(config.hidden())) : null;
            afterFeedForward = isGemma ? register("post_feedforward_layernorm", new Norm(config.hidden())) : null;
        }

        @Override
        public Tensor answer(Tensor x, List<Tensor> tables, KeyValues past) {
            return Scope.tidy(() -> {
                RotaryEmbedding.Turn turn = RotaryEmbedding.Turn.of(tables);
                Tensor attended = attention.forward(beforeAttention.forward(x), layer, turn, past);
                if (!config.hasNormsBehind()) {
                    Tensor between = x.add(attended);
                    return between.add(feedForward.forward(afterAttention.forward(between)));
                }
                Tensor between = x.add(afterAttention.forward(attended));
                Tensor fed = feedForward.forward(beforeFeedForward.forward(between));
                return between.add(afterFeedForward.forward(fed));
            });
        }
    }

    /** Grouped-query attention (Ainslie et al., 2023). */
    private final class Attention extends Module {
        private final long queries = (long) config.heads() * config.headSize();
        private final long keys = (long) config.groups() * config.headSize();
        /** Query, key and value in one matrix (Phi 3). */
        private final Module together;

        private final Module query;
        private final Module key;
        private final Module value;
        private final Module output;
        private final Norm queryNorm;
        private final Norm keyNorm;

        Attention() {
            boolean isFused = config.isFused();
            together = isFused ? register("qkv_proj", config.linear(config.hidden(), queries + 2 * keys, false)) : null;
            query = isFused ? null : register("q_proj", config.linear(config.hidden(), queries, config.hasQueryBias()));
            key = isFused ? null : register("k_proj", config.linear(config.hidden(), keys, config.hasQueryBias()));
            value = isFused ? null : register("v_proj", config.linear(config.hidden(), keys, config.hasQueryBias()));
            output = register("o_proj", config.linear(queries, config.hidden(), config.hasOutputBias()));
            queryNorm = config.hasQueryNorm() ? register("q_norm", new Norm(config.headSize())) : null;
            keyNorm = config.hasQueryNorm() ? register("k_norm", new Norm(config.headSize())) : null;
        }

        Tensor forward(Tensor x, int layer, RotaryEmbedding.Turn turn, KeyValues past) {
            return Scope.tidy(() -> {
                Tensor all = together == null ? null : together.call(x);
                Tensor q = all == null ? query.call(x) : all.narrow(-1, 0, queries);
                Tensor k = all == null ? key.call(x) : all.narrow(-1, queries, keys);
                Tensor v = all == null ? value.call(x) : all.narrow(-1, queries + keys, keys);
                Tensor answer = past.attend(
                        layer,
                        config.rule(layer),
                        turned(turn, layer, normed(queryNorm, heads(q))),
                        turned(turn, layer, normed(keyNorm, heads(k))),
                        heads(v));
                return output.call(answer.transpose(1, 2).reshape(x.size(0), x.size(1), queries));
            });
        }

        /** Returns {@code [batch, heads, tokens, features]}. */
        private Tensor heads(Tensor x) {
            return x.reshape(x.size(0), x.size(1), -1, config.headSize()).transpose(1, 2);
        }

        private Tensor turned(RotaryEmbedding.Turn turn, int layer, Tensor heads) {
            return config.turns(layer) ? turn.apply(heads) : heads;
        }

        private Tensor normed(Norm norm, Tensor heads) {
            return norm == null ? heads : norm.forward(heads);
        }
    }

    /** SwiGLU or GeGLU (Shazeer, 2020). */
    private final class FeedForward extends Module {
        /** Gate and input in one matrix (Phi 3). */
        private final Module together;

        private final Module gate;
        private final Module up;
        private final Module down;

        FeedForward() {
            long inner = config.inner();
            boolean hasBias = config.hasFeedForwardBias();
            together = config.isFused()
                    ? register("gate_up_proj", config.linear(config.hidden(), 2 * inner, false))
                    : null;
            gate = config.isFused() ? null : register("gate_proj", config.linear(config.hidden(), inner, hasBias));
            up = config.isFused() ? null : register("up_proj", config.linear(config.hidden(), inner, hasBias));
            down = register("down_proj", config.linear(inner, config.hidden(), hasBias));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor both = together == null ? null : together.call(x);
                Tensor gated = both == null ? gate.call(x) : both.narrow(-1, 0, config.inner());
                Tensor passed = both == null ? up.call(x) : both.narrow(-1, config.inner(), config.inner());
                return down.call(config.activation().apply(gated).mul(passed));
            });
        }
    }

    /**
     * Mixtral's mixture of experts: the output of a token is the weighted sum of its best experts (Jiang et al., 2024). All
     * experts are computed.
     */
    private final class Experts extends Module {
        private final Linear gate = register("gate", new Linear(config.hidden(), config.experts(), false));
        private final List<Expert> experts = new ArrayList<>();

        Experts() {
            for (int expert = 0; expert < config.experts(); expert++) {
                experts.add(new Expert());
            }
            register("experts", new ModuleList<>(experts));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor shares = gate.call(x).softmax(-1, DType.FLOAT32);
                var best = shares.topk(config.expertsPerToken(), -1, true, true);
                Tensor weights = best.values().div(best.values().sum(-1, true));
                Tensor ofAll =
                        shares.zerosLike().scatter(-1, best.indices(), weights).to(x.dtype());
                Tensor sum = null;
                for (int expert = 0; expert < experts.size(); expert++) {
                    Tensor said = experts.get(expert).forward(x).mul(ofAll.narrow(-1, expert, 1));
                    sum = sum == null ? said : sum.add(said);
                }
                return sum;
            });
        }
    }

    private final class Expert extends Module {
        private final Module gate = register("w1", config.linear(config.hidden(), config.inner(), false));
        private final Module down = register("w2", config.linear(config.inner(), config.hidden(), false));
        private final Module up = register("w3", config.linear(config.hidden(), config.inner(), false));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(
                    () -> down.call(config.activation().apply(gate.call(x)).mul(up.call(x))));
        }
    }

    /** Normalizes to root mean square 1, in float32. Gemma stores the weights minus 1. */
    private final class Norm extends Module {
        private final Parameter weight;

        Norm(long features) {
            weight = parameter("weight", Init.ones(), features);
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor wide = x.to(DType.FLOAT32);
                Tensor even = wide.mul(
                        wide.mul(wide).mean(-1, true).add(config.normEps()).rsqrt());
                return config.isNormFromOne()
                        ? even.mul(weight.tensor().to(DType.FLOAT32).add(1)).to(x.dtype())
                        : even.to(x.dtype()).mul(weight.tensor());
            });
        }
    }
}
