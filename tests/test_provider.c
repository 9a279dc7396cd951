/* SPDX-License-Identifier: MIT */
/* Hosts and who runs them: the base URLs of every provider in the table, the
 * dialect found at each, and names that only look like theirs. */
#include "check.h"
#include "core/detect.h"

#define CHAT      UNS_DIALECT_CHAT
#define RESPONSES UNS_DIALECT_RESPONSES
#define ANTHROPIC UNS_DIALECT_ANTHROPIC
#define GEMINI    UNS_DIALECT_GEMINI
#define NONE      UNS_DIALECT_NONE

#define CC "/chat/completions"

static const struct {
    const char *url, *provider;
    enum uns_dialect dialect;
} rows[] = {
    {"https://api.openai.com/v1" CC, "openai", CHAT},
    {"https://eu.api.openai.com/v1/responses", "openai", RESPONSES},
    {"https://r.openai.azure.com/openai/deployments/d" CC "?api-version=1",
     "azure", CHAT},
    {"https://r.openai.azure.com/openai/v1/responses", "azure", RESPONSES},
    {"https://r.cognitiveservices.azure.com/openai/v1" CC, "azure", CHAT},
    {"https://r.services.ai.azure.com/models" CC, "azure", CHAT},
    {"https://r.services.ai.azure.com/anthropic/v1/messages", "azure",
     ANTHROPIC},
    {"https://api.anthropic.com/v1/messages", "anthropic", ANTHROPIC},
    {"https://aws-external-anthropic.us-east-1.api.aws/v1/messages",
     "anthropic", ANTHROPIC},
    {"https://generativelanguage.googleapis.com/v1beta/models/m:"
     "streamGenerateContent?alt=sse",
     "google", GEMINI},
    {"https://generativelanguage.googleapis.com/v1beta/openai" CC, "google",
     CHAT},
    {"https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/"
     "google/models/m:streamGenerateContent",
     "vertex", GEMINI},
    {"https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/"
     "publishers/anthropic/models/m:streamRawPredict",
     "vertex", ANTHROPIC},
    {"https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse-stream",
     "bedrock", NONE},
    {"https://bedrock-mantle.eu-west-1.api.aws/v1/responses", "bedrock",
     RESPONSES},
    {"https://api.deepseek.com" CC, "deepseek", CHAT},
    {"https://api.deepseek.com/beta/completions", "deepseek",
     UNS_DIALECT_COMPLETIONS},
    {"https://api.deepseek.com/anthropic/v1/messages", "deepseek", ANTHROPIC},
    {"https://openrouter.ai/api/v1" CC, "openrouter", CHAT},
    {"https://openrouter.ai/api/v1/responses", "openrouter", RESPONSES},
    {"https://api.groq.com/openai/v1" CC, "groq", CHAT},
    {"https://api.mistral.ai/v1" CC, "mistral", CHAT},
    {"https://codestral.mistral.ai/v1/fim/completions", "mistral",
     UNS_DIALECT_COMPLETIONS},
    {"https://api.x.ai/v1" CC, "xai", CHAT},
    {"https://api.together.xyz/v1" CC, "together", CHAT},
    {"https://api.together.ai/v1" CC, "together", CHAT},
    {"https://api.fireworks.ai/inference/v1" CC, "fireworks", CHAT},
    {"https://api.cerebras.ai/v1" CC, "cerebras", CHAT},
    {"https://api.sambanova.ai/v1" CC, "sambanova", CHAT},
    {"https://api.deepinfra.com/v1/openai" CC, "deepinfra", CHAT},
    {"https://api.perplexity.ai" CC, "perplexity", CHAT},
    {"https://api.cohere.com/v2/chat", "cohere", UNS_DIALECT_COHERE},
    {"https://api.cohere.ai/compatibility/v1" CC, "cohere", CHAT},
    {"https://api.moonshot.ai/v1" CC, "moonshot", CHAT},
    {"https://api.moonshot.cn/v1" CC, "moonshot", CHAT},
    {"https://api.kimi.com/coding/v1/messages", "moonshot", ANTHROPIC},
    {"https://dashscope.aliyuncs.com/compatible-mode/v1" CC, "alibaba", CHAT},
    {"https://dashscope-intl.aliyuncs.com/api/v1/services/aigc/"
     "text-generation/generation",
     "alibaba", UNS_DIALECT_DASHSCOPE},
    {"https://coding.dashscope.aliyuncs.com/v1" CC, "alibaba", CHAT},
    {"https://coding-intl.dashscope.aliyuncs.com/v1" CC, "alibaba", CHAT},
    {"https://x.maas.aliyuncs.com/v1" CC, "alibaba", CHAT},
    {"https://api.z.ai/api/paas/v4" CC, "zai", CHAT},
    {"https://open.bigmodel.cn/api/paas/v4" CC, "zhipu", CHAT},
    {"https://api.minimax.io/anthropic/v1/messages", "minimax", ANTHROPIC},
    {"https://api.minimaxi.com/v1" CC, "minimax", CHAT},
    {"https://integrate.api.nvidia.com/v1" CC, "nvidia", CHAT},
    {"https://router.huggingface.co/novita/v3" CC, "huggingface", CHAT},
    {"https://models.github.ai/inference" CC, "github", CHAT},
    {"https://api.githubcopilot.com/responses", "github", RESPONSES},
    {"https://api.cloudflare.com/client/v4/accounts/a/ai/v1" CC, "cloudflare",
     CHAT},
    {"https://gateway.ai.cloudflare.com/v1/a/g/anthropic/v1/messages",
     "cloudflare", ANTHROPIC},
    {"https://ai-gateway.vercel.sh/v1" CC, "vercel", CHAT},
    {"https://api.v0.dev/v1" CC, "vercel", CHAT},
    {"https://api.tokenfactory.nebius.com/v1" CC, "nebius", CHAT},
    {"https://api.studio.nebius.com/v1" CC, "nebius", CHAT},
    {"https://api.novita.ai/v3/openai" CC, "novita", CHAT},
    {"https://api.siliconflow.com/v1" CC, "siliconflow", CHAT},
    {"https://api.siliconflow.cn/v1" CC, "siliconflow", CHAT},
    {"https://ark.cn-beijing.volces.com/api/v3" CC, "volcengine", CHAT},
    {"https://ark.ap-southeast.bytepluses.com/api/v3" CC, "byteplus", CHAT},
    {"https://inference.baseten.co/v1" CC, "baseten", CHAT},
    {"https://api.hyperbolic.xyz/v1" CC, "hyperbolic", CHAT},
    {"https://api.lambda.ai/v1" CC, "lambda", CHAT},
    {"https://api.friendli.ai/serverless/v1" CC, "friendli", CHAT},
    {"https://llm.chutes.ai/v1" CC, "chutes", CHAT},
    {"https://api.llama.com/compat/v1" CC, "meta", CHAT},
    {"https://api.upstage.ai/v1/solar" CC, "upstage", CHAT},
    {"https://api.scaleway.ai/v1" CC, "scaleway", CHAT},
    {"https://oai.endpoints.kepler.ai.cloud.ovh.net/v1" CC, "ovh", CHAT},
    {"https://inference.api.nscale.com/v1" CC, "nscale", CHAT},
    {"https://api.openai-compat.model-serving.eu01.onstackit.cloud/v1" CC,
     "stackit", CHAT},
    {"https://inference.do-ai.run/v1" CC, "digitalocean", CHAT},
    {"https://api.vultrinference.com/v1" CC, "vultr", CHAT},
    {"https://api.inference.crusoecloud.com/v1" CC, "crusoe", CHAT},
    {"https://us.inference.heroku.com/v1" CC, "heroku", CHAT},
    {"https://a.snowflakecomputing.com/api/v2/cortex/v1" CC, "snowflake", CHAT},
    {"https://a.cloud.databricks.com/ai-gateway/mlflow/v1" CC, "databricks",
     CHAT},
    {"https://adb-1.2.azuredatabricks.net/serving-endpoints" CC, "databricks",
     CHAT},
    {"https://api.xiaomimimo.com/v1" CC, "xiaomi", CHAT},
    {"https://api.stepfun.com/v1" CC, "stepfun", CHAT},
    {"https://api.inceptionlabs.ai/v1" CC, "inception", CHAT},
    {"https://api.morphllm.com/v1" CC, "morph", CHAT},
    {"https://api.inference.wandb.ai/v1" CC, "wandb", CHAT},
    {"https://api.venice.ai/api/v1" CC, "venice", CHAT},
    {"https://api.poe.com/v1" CC, "poe", CHAT},
    {"https://router.requesty.ai/v1" CC, "requesty", CHAT},
    {"https://ai-gateway.helicone.ai/v1" CC, "helicone", CHAT},
    {"https://api.intelligence.io.solutions/api/v1" CC, "ionet", CHAT},
    {"https://nano-gpt.com/api/v1" CC, "nanogpt", CHAT},
    {"http://localhost:11434/api/chat", "ollama", UNS_DIALECT_OLLAMA},
    {"http://127.0.0.1:11434/v1" CC, "ollama", CHAT},
    {"https://ollama.com/api/generate", "ollama", UNS_DIALECT_OLLAMA},
    {"http://localhost:1234/api/v1/chat", "lmstudio", UNS_DIALECT_LMSTUDIO},
    {"http://127.0.0.1:1234/v1/responses", "lmstudio", RESPONSES},
    {"http://localhost:8080/completion", NULL, UNS_DIALECT_LLAMACPP},
    {"http://localhost:8000/v1" CC, NULL, CHAT},
    {"https://api.openai.com.evil.example/v1" CC, NULL, CHAT},
    {"https://evil.example/api.openai.com/v1" CC, NULL, CHAT},
    {"https://api.openai.com:8443/v1" CC, NULL, CHAT},
};

static void test_provider_names_every_host(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url;

        CHECK_INT(rows[i].url,
                  uns_url_split(rows[i].url, strlen(rows[i].url), &url), true);
        CHECK_TEXT(rows[i].url, uns_detect_provider(&url), rows[i].provider);
        CHECK_INT(rows[i].url, uns_detect(&url, NULL), rows[i].dialect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_provider_names_every_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
