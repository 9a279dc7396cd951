/* SPDX-License-Identifier: MIT */
/* A race's deadlines and sockets in the application's event loop. */
#include "multi_bench.h"

#include "engine/keep.h"
#include "engine/loop.h"

#include <fcntl.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const struct fake_beat *const plays[] = {silent, silent};

static struct uns_loop *loop_of(void)
{
    return multi.lane;
}

/* In a call whose rival is due after 2500 ms. */
static void open_loop(void)
{
    open_multi(2500 * UNS_MS);
    play(plays, 2);
    add_call(bench.app);
    engine->perform(&multi, &seen.running);
}

/* --- how long the application may sleep -----------------------------------*/

static void test_loop_rounds_a_wait_up(void **state)
{
    static const struct {
        const char *name;
        uns_ns past_ns;
        long limit_ms, want_ms;
    } rows[] = {
        {"all of it", 0, -1, 2500},
        {"the limit is less", 0, 1000, 1000},
        {"the limit is more", 0, 9000, 2500},
        {"not at all", 0, 0, 0},
        {"a part of 1 ms", 1, -1, 2500},
        {"the next", UNS_MS, -1, 2499},
        {"the last ns", 2500 * UNS_MS - 1, -1, 1},
        {"now", 2500 * UNS_MS, -1, 0},
        {"too late", 2600 * UNS_MS, 1000, 0},
    };

    uns_ns begin;

    (void)state;
    open_loop();
    begin = fake.now_ns;
    for (size_t i = 0; i < ROWS(rows); i++) {
        fake.now_ns = begin + rows[i].past_ns;
        CHECK_INT(rows[i].name, uns_loop_cap_ms(loop_of(), rows[i].limit_ms),
                  rows[i].want_ms);
    }
    fake.now_ns = begin;
    close_multi("rounding");
}

static void test_loop_without_calls_caps_nothing(void **state)
{
    (void)state;
    open_loop();
    engine->remove(&multi, bench.app, bench.app->easy);
    CHECK_INT("none", uns_loop_cap_ms(loop_of(), -1), -1);
    CHECK_INT("the limit", uns_loop_cap_ms(loop_of(), 700), 700);
    CHECK_INT("no descriptor", uns_loop_timer_fd(loop_of()), -1);
    close_multi("empty");
}

/* --- the descriptor -------------------------------------------------------*/

static bool is_timer(int fd)
{
    struct itimerspec left;

    return timerfd_gettime(fd, &left) == 0;
}

static void test_loop_has_one_descriptor(void **state)
{
    int fd;

    (void)state;
    open_loop();
    CHECK_INT("lazy", loop_of()->timer_fd, -1);
    fd = uns_loop_timer_fd(loop_of());
    assert_true(is_timer(fd));
    CHECK_INT("the same", uns_loop_timer_fd(loop_of()), fd);
    CHECK_INT("CLOEXEC", fcntl(fd, F_GETFD), FD_CLOEXEC);
    close_multi("one");
    CHECK_INT("closed", fcntl(fd, F_GETFD), -1);
}

/* Closed by a host that closes what it does not know. */
static void test_loop_gets_another_descriptor(void **state)
{
    int fd;

    (void)state;
    open_loop();
    fd = uns_loop_timer_fd(loop_of());
    close(fd);
    fd = uns_loop_timer_fd(loop_of());
    assert_true(is_timer(fd));
    close_multi("another");
    CHECK_INT("closed", fcntl(fd, F_GETFD), -1);
}

/* The number is a file of the host's by now: it is left alone, in use and at
 * the end. */
static void test_loop_leaves_a_reused_number_alone(void **state)
{
    int fd, file;

    (void)state;
    for (int again = 0; again < 2; again++) {
        open_loop();
        fd = uns_loop_timer_fd(loop_of());
        close(fd);
        file = open("/dev/null", O_RDONLY | O_CLOEXEC);
        CHECK_INT("reused", file, fd);
        if (again)
            assert_int_not_equal(uns_loop_timer_fd(loop_of()), file);
        close_multi("reused");
        CHECK_INT("open", fcntl(file, F_GETFD), FD_CLOEXEC);
        close(file);
    }
}

/* --- sockets --------------------------------------------------------------*/

static struct {
    CURL *easy;
    curl_socket_t fd;
    int what;
    unsigned calls;
    bool inside;
} told;

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    assert_ptr_equal(arg, &told);
    assert_null(assigned);
    told.easy = easy;
    told.fd = fd;
    told.what = what;
    told.calls++;
    told.inside = engine->is_inside(&multi);
    return 7;
}

/* With a rival under way. */
static void open_race(void)
{
    memset(&told, 0, sizeof told);
    open_multi(2500 * UNS_MS);
    play(plays, 2);
    multi_set(CURLMOPT_SOCKETFUNCTION, (void *)(intptr_t)on_socket);
    multi_set(CURLMOPT_SOCKETDATA, &told);
    add_call(bench.app);
    engine->perform(&multi, &seen.running);
    fake_pass_ms(2500);
    engine->perform(&multi, &seen.running);
    CHECK_INT("requests", fake.requests, 2);
}

static void test_loop_shows_no_rival(void **state)
{
    CURL *stranger;

    (void)state;
    open_race();
    CHECK_INT("code", fake_tell_socket(fake.request[1], 9, CURL_POLL_IN), 7);
    assert_ptr_equal(told.easy, bench.app->easy);
    CHECK_INT("fd", told.fd, 9);
    CHECK_INT("what", told.what, CURL_POLL_IN);
    CHECK_INT("inside", told.inside, true);
    fake_tell_socket(bench.app->easy, 8, CURL_POLL_OUT);
    assert_ptr_equal(told.easy, bench.app->easy);
    stranger = fake_real.curl_easy_init();
    fake_tell_socket(stranger, 7, CURL_POLL_INOUT);
    assert_ptr_equal(told.easy, stranger);
    CHECK_INT("calls", told.calls, 3);
    fake_real.curl_easy_cleanup(stranger);
    close_multi("sockets");
}

/* Two addresses are tried at once; the one that fails is closed. */
static void test_loop_knows_an_attempts_socket(void **state)
{
    static const struct {
        const char *name;
        curl_socket_t fd;
        int what;
        curl_socket_t want;
    } rows[] = {
        {"the first", 5, CURL_POLL_OUT, 5},
        {"a second", 6, CURL_POLL_OUT, 6},
        {"the first fails", 5, CURL_POLL_REMOVE, 6},
        {"now it answers", 6, CURL_POLL_IN, 6},
        {"the end", 6, CURL_POLL_REMOVE, CURL_SOCKET_BAD},
    };
    const struct uns_keep *keep;

    (void)state;
    open_race();
    keep = bench.app->call;
    for (size_t i = 0; i < ROWS(rows); i++) {
        fake_tell_socket(fake.request[1], rows[i].fd, rows[i].what);
        CHECK_INT(rows[i].name, keep->call->attempt[1]->fd, rows[i].want);
        CHECK_INT(rows[i].name, keep->call->attempt[0]->fd, CURL_SOCKET_BAD);
    }
    close_multi("descriptors");
}

/* The callbacks are the application's again, as it has set them last. */
static void test_loop_gives_the_callbacks_back(void **state)
{
    (void)state;
    open_race();
    assert_ptr_not_equal(fake.multi_opt[CURLMOPT_SOCKETDATA % 10000], &told);
    close_multi("back");
    assert_ptr_equal(fake.multi_opt[CURLMOPT_SOCKETDATA % 10000], &told);
    assert_true(fake.multi_opt[CURLMOPT_SOCKETFUNCTION % 10000] ==
                (void *)(intptr_t)on_socket);
}

/* --- pushes ---------------------------------------------------------------*/

static struct {
    CURL *parent;
    unsigned count;
} pushed;

static int on_push(CURL *parent, CURL *easy, size_t count,
                   struct curl_pushheaders *headers, void *arg)
{
    (void)easy;
    (void)count;
    (void)headers;
    assert_ptr_equal(arg, &pushed);
    pushed.parent = parent;
    pushed.count++;
    return CURL_PUSH_OK;
}

/* As libcurl: a copy of the handle that asked, and whoever is set to be told.
 */
static int push_from(struct fake_easy *parent, CURL **ret_easy)
{
    curl_push_callback push;
    void *set = fake.multi_opt[CURLMOPT_PUSHFUNCTION % 10000];

    memcpy(&push, &set, sizeof push);
    assert_non_null(push);
    *ret_easy = fake_real.curl_easy_init();
    fake_real.curl_easy_setopt(*ret_easy, CURLOPT_WRITEDATA,
                               fake_opt(parent, CURLOPT_WRITEDATA)->value.p);
    return push(parent, *ret_easy, 0, NULL,
                fake.multi_opt[CURLMOPT_PUSHDATA % 10000]);
}

/* P1, P3: what a rival's server pushes would be a handle with its key. */
static void test_loop_hands_on_pushes_of_the_applications_own(void **state)
{
    CURL *easy;
    const struct fake_opt *writer;

    (void)state;
    memset(&pushed, 0, sizeof pushed);
    open_multi(2500 * UNS_MS);
    multi_set(CURLMOPT_PUSHFUNCTION, (void *)(intptr_t)on_push);
    multi_set(CURLMOPT_PUSHDATA, &pushed);
    play(plays, 2);
    add_call(bench.app);
    engine->perform(&multi, &seen.running);
    fake.now_ns += 2500 * UNS_MS;
    engine->perform(&multi, &seen.running);
    CHECK_INT("rivals", fake.requests, 2);
    CHECK_INT("a rival's", push_from(fake.request[1], &easy), CURL_PUSH_DENY);
    fake_real.curl_easy_cleanup(easy);
    CHECK_INT("told", pushed.count, 0);
    CHECK_INT("its own", push_from(fake.request[0], &easy), CURL_PUSH_OK);
    assert_ptr_equal(pushed.parent, bench.app->easy);
    writer = fake_opt(easy, CURLOPT_WRITEDATA);
    assert_ptr_equal(writer->value.p, &bench);
    fake_real.curl_easy_cleanup(easy);
    close_multi("pushes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_rounds_a_wait_up),
        cmocka_unit_test(test_loop_without_calls_caps_nothing),
        cmocka_unit_test(test_loop_has_one_descriptor),
        cmocka_unit_test(test_loop_gets_another_descriptor),
        cmocka_unit_test(test_loop_leaves_a_reused_number_alone),
        cmocka_unit_test(test_loop_shows_no_rival),
        cmocka_unit_test(test_loop_knows_an_attempts_socket),
        cmocka_unit_test(test_loop_gives_the_callbacks_back),
        cmocka_unit_test(test_loop_hands_on_pushes_of_the_applications_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
