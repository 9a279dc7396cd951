/* SPDX-License-Identifier: MIT */
/*
 * provider - who runs a host: a name for records and messages.  Nothing is
 * decided by it, and it is not part of the preload.
 */
#include "ascii.h"
#include "detect.h"

/* Patterns of host[:port] as in uns_url_matches; the first that fits. */
static const struct {
    const char *name;
    const char *pattern;
} providers
    [] =
        {

#define HOST(name, pattern) {name, pattern "/"},
            /* clang-format off */
    HOST("openai", "api.openai.com")
    HOST("openai", "*.api.openai.com")
    HOST("azure", "*.openai.azure.com")
    HOST("azure", "*.cognitiveservices.azure.com")
    HOST("azure", "*.services.ai.azure.com")
    HOST("anthropic", "api.anthropic.com")
    HOST("anthropic", "aws-external-anthropic.*.api.aws")
    HOST("google", "generativelanguage.googleapis.com")
    HOST("vertex", "aiplatform.googleapis.com")
    HOST("vertex", "*-aiplatform.googleapis.com")
    HOST("bedrock", "bedrock-runtime.*.amazonaws.com")
    HOST("bedrock", "bedrock-mantle.*.api.aws")
    HOST("deepseek", "api.deepseek.com")
    HOST("openrouter", "openrouter.ai")
    HOST("groq", "api.groq.com")
    HOST("mistral", "api.mistral.ai")
    HOST("mistral", "codestral.mistral.ai")
    HOST("xai", "api.x.ai")
    HOST("together", "api.together.xyz")
    HOST("together", "api.together.ai")
    HOST("fireworks", "api.fireworks.ai")
    HOST("cerebras", "api.cerebras.ai")
    HOST("sambanova", "api.sambanova.ai")
    HOST("deepinfra", "api.deepinfra.com")
    HOST("perplexity", "api.perplexity.ai")
    HOST("cohere", "api.cohere.com")
    HOST("cohere", "api.cohere.ai")
    HOST("moonshot", "api.moonshot.ai")
    HOST("moonshot", "api.moonshot.cn")
    HOST("moonshot", "api.kimi.com")
    HOST("alibaba", "dashscope.aliyuncs.com")
    HOST("alibaba", "dashscope-intl.aliyuncs.com")
    HOST("alibaba", "*.dashscope.aliyuncs.com")
    HOST("alibaba", "*.maas.aliyuncs.com")
    HOST("zai", "api.z.ai")
    HOST("zhipu", "open.bigmodel.cn")
    HOST("minimax", "api.minimax.io")
    HOST("minimax", "api.minimaxi.com")
    HOST("nvidia", "integrate.api.nvidia.com")
    HOST("huggingface", "router.huggingface.co")
    HOST("github", "models.github.ai")
    HOST("github", "api.githubcopilot.com")
    HOST("cloudflare", "api.cloudflare.com")
    HOST("cloudflare", "gateway.ai.cloudflare.com")
    HOST("vercel", "ai-gateway.vercel.sh")
    HOST("vercel", "api.v0.dev")
    HOST("nebius", "api.tokenfactory.nebius.com")
    HOST("nebius", "api.studio.nebius.com")
    HOST("novita", "api.novita.ai")
    HOST("siliconflow", "api.siliconflow.com")
    HOST("siliconflow", "api.siliconflow.cn")
    HOST("volcengine", "ark.*.volces.com")
    HOST("byteplus", "ark.*.bytepluses.com")
    HOST("baseten", "inference.baseten.co")
    HOST("hyperbolic", "api.hyperbolic.xyz")
    HOST("lambda", "api.lambda.ai")
    HOST("friendli", "api.friendli.ai")
    HOST("chutes", "llm.chutes.ai")
    HOST("meta", "api.llama.com")
    HOST("upstage", "api.upstage.ai")
    HOST("scaleway", "api.scaleway.ai")
    HOST("ovh", "oai.endpoints.kepler.ai.cloud.ovh.net")
    HOST("nscale", "inference.api.nscale.com")
    HOST("stackit", "api.openai-compat.model-serving.*.onstackit.cloud")
    HOST("digitalocean", "inference.do-ai.run")
    HOST("vultr", "api.vultrinference.com")
    HOST("crusoe", "api.inference.crusoecloud.com")
    HOST("heroku", "*.inference.heroku.com")
    HOST("snowflake", "*.snowflakecomputing.com")
    HOST("databricks", "*.databricks.com")
    HOST("databricks", "*.azuredatabricks.net")
    HOST("xiaomi", "api.xiaomimimo.com")
    HOST("stepfun", "api.stepfun.com")
    HOST("inception", "api.inceptionlabs.ai")
    HOST("morph", "api.morphllm.com")
    HOST("wandb", "api.inference.wandb.ai")
    HOST("venice", "api.venice.ai")
    HOST("poe", "api.poe.com")
    HOST("requesty", "router.requesty.ai")
    HOST("helicone", "ai-gateway.helicone.ai")
    HOST("ionet", "api.intelligence.io.solutions")
    HOST("nanogpt", "nano-gpt.com")
    HOST("ollama", "ollama.com")
    HOST("ollama", "localhost:11434")
    HOST("ollama", "127.0.0.1:11434")
    HOST("lmstudio", "localhost:1234")
    HOST("lmstudio", "127.0.0.1:1234")
/* clang-format on */
#undef HOST
};

const char *uns_detect_provider(const struct uns_url *url)
{
    struct uns_url host = *url;

    host.path = (struct uns_slice){0};
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++)
        if (uns_url_matches(uns_slice_of(providers[i].pattern), &host))
            return providers[i].name;
    return NULL;
}
