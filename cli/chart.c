/* SPDX-License-Identifier: MIT */
/* chart - two pictures side by side: a scale of fixed width, and the bars,
 * which take what is left. */
#include "chart.h"

#include "svg.h"

#include <math.h>

#define HEIGHT  200
#define TOP     8   /* of the highest bar */
#define FLOOR   170 /* of all bars */
#define LABELS  188
#define LINE    16   /* of a rule's text */
#define TICKS   8    /* of the scale, at most */
#define GAP     0.08 /* between bars, of their width */
#define VISIBLE 1.5  /* pixels of what is not nothing */

struct scale {
    double tick[TICKS + 1]; /* values */
    int ticks;
    double most;
    bool log;
};

/* 1, 2 or 5 times a power of ten, and whole. */
static double round_step(double least)
{
    static const double times[] = {2, 2.5, 2};
    double step = 1;

    for (size_t i = 0; step < least; i++)
        step *= times[i % (sizeof times / sizeof *times)];
    return step;
}

static void add_tick(struct scale *scale, double value)
{
    if (scale->ticks <= TICKS)
        scale->tick[scale->ticks++] = value;
}

static struct scale linear(double most)
{
    struct scale scale = {.log = false};
    double step = round_step(most / 4);

    scale.most = step * ceil(most / step);
    for (int i = 0; i <= (int)(scale.most / step); i++)
        add_tick(&scale, i * step);
    return scale;
}

static struct scale decades(double most)
{
    struct scale scale = {.log = true, .most = 10};
    int count = 1, every = 1;

    for (; scale.most < most; count++)
        scale.most *= 10;
    while (count / every > TICKS - 1)
        every++;
    add_tick(&scale, 0);
    for (int i = 0; i <= count; i += every)
        add_tick(&scale, pow(10, i));
    return scale;
}

/* Pixels above the floor.  On a scale of decades, 1 stands half a decade high:
 * it is not nothing. */
static double height_of(const struct scale *scale, double value)
{
    double part = value / scale->most;

    if (scale->log)
        part =
            value < 1 ? 0 : (log10(value) + 0.5) / (log10(scale->most) + 0.5);
    part *= FLOOR - TOP;
    return value > 0 && part < VISIBLE ? VISIBLE : part;
}

static double most_of(const struct uns_chart *chart)
{
    double most = 1;

    for (size_t i = 0; i < chart->bars; i++)
        if (chart->bar[i].value + chart->bar[i].more > most)
            most = chart->bar[i].value + chart->bar[i].more;
    return most;
}

static void draw_scale(const struct scale *scale, FILE *out)
{
    for (int i = 0; i < scale->ticks; i++) {
        char text[32];

        if (scale->tick[i] < 10000)
            snprintf(text, sizeof text, "%.0f", scale->tick[i]);
        else if (scale->tick[i] < 1e6)
            snprintf(text, sizeof text, "%.0fk", scale->tick[i] / 1e3);
        else
            snprintf(text, sizeof text, "%.0fM", scale->tick[i] / 1e6);
        uns_svg_label(out, 86, FLOOR - height_of(scale, scale->tick[i]) + 4,
                      "end", text);
    }
}

static void draw_grid(const struct scale *scale, FILE *out)
{
    for (int i = 0; i < scale->ticks; i++)
        uns_svg_rect(out,
                     &(struct uns_svg_box){
                         0, FLOOR - height_of(scale, scale->tick[i]), 100, 1},
                     "line", NULL);
}

static void draw_bar(const struct uns_chart *chart, const struct scale *scale,
                     size_t i, FILE *out)
{
    const struct uns_chart_bar *bar = &chart->bar[i];
    double width = 100.0 / (double)chart->bars;
    double low = height_of(scale, bar->value);
    double high = height_of(scale, bar->value + bar->more);
    struct uns_svg_box box = {width * ((double)i + GAP / 2), FLOOR - low,
                              width * (1 - GAP), low};

    if (low > 0)
        uns_svg_rect(out, &box, chart->look, bar->title);
    box.y = FLOOR - high;
    box.height = high - low;
    if (box.height > 0)
        uns_svg_rect(out, &box, chart->more_look, bar->title);
}

static void draw_labels(const struct uns_chart *chart, size_t i, FILE *out)
{
    const struct uns_chart_bar *bar = &chart->bar[i];
    double width = 100.0 / (double)chart->bars;
    double left = width * (double)i;

    if (*bar->middle != '\0')
        uns_svg_label(out, left + width / 2, LABELS, "mid", bar->middle);
    if (*bar->edge == '\0')
        return;
    uns_svg_rule(out, left, FLOOR, 5, "grid");
    if (bar->edge_at_end)
        uns_svg_label(out, left + width, LABELS, "end", bar->edge);
    else
        uns_svg_label(out, left, LABELS, i ? "mid" : "start", bar->edge);
}

static double place_of(const struct uns_chart *chart, size_t rule)
{
    return 100.0 * chart->rule[rule].at / (double)chart->bars;
}

/* Above the bars, which they would hide: there is a line for each. */
static double room_of_rules(const struct uns_chart *chart)
{
    return LINE * (double)chart->rules;
}

/* A rule begins below its own text, so it strikes through none above. */
static void draw_rules(const struct uns_chart *chart, FILE *out)
{
    double top = -room_of_rules(chart);

    for (size_t i = 0; i < chart->rules; i++) {
        double y = top + LINE * (double)(i + 1);

        uns_svg_rule(out, place_of(chart, i), y, FLOOR - y, "rule");
    }
    for (size_t i = 0; i < chart->rules; i++) {
        double x = place_of(chart, i);
        bool right = x > 70;

        uns_svg_label(out, right ? x - 1 : x + 1, top + LINE * (double)i + 12,
                      right ? "mark end" : "mark", chart->rule[i].text);
    }
}

/* The rest of an element <svg>: its height, and the room above. */
static void end_head(const struct uns_chart *chart, FILE *out)
{
    double room = room_of_rules(chart);

    fprintf(out, " height=\"%.0f\">\n<g transform=\"translate(0,%.0f)\">\n",
            HEIGHT + room, room);
}

void uns_chart_draw(const struct uns_chart *chart, FILE *out)
{
    double most = most_of(chart);
    struct scale scale = chart->log ? decades(most) : linear(most);

    fputs("<div class=\"chart\">\n", out);
    fputs("<svg class=\"scale\" aria-hidden=\"true\" width=\"44\"", out);
    end_head(chart, out);
    draw_scale(&scale, out);
    fputs("</g>\n</svg>\n", out);
    fputs("<svg role=\"img\" aria-label=\"", out);
    uns_svg_text(out, chart->name);
    fputs("\"", out);
    end_head(chart, out);
    draw_grid(&scale, out);
    for (size_t i = 0; i < chart->bars; i++) {
        draw_bar(chart, &scale, i, out);
        draw_labels(chart, i, out);
    }
    draw_rules(chart, out);
    fputs("</g>\n</svg>\n</div>\n", out);
}
