-- prose.lua - text that is written for a terminal, as blocks of a page: the explanations of findings and the hints of lessons. Lines that begin
-- with four spaces are code. In the others, what is between backticks is code, and so is what no English word looks like: a call, an index, a
-- name with an underscore. lesson.lua and page.lua load it with dofile.

local prose = {}

-- Names that are code although they have neither bracket nor underscore.
local NAMES = { "^threadIdx$", "^blockIdx$", "^blockDim$", "^gridDim$", "^cuda[A-Z]", "^atomic[A-Z]", "^dim3$", "^sizeof$", "^float%d$", "^NULL$" }

local function is_name(word)
    if word:find("_", 1, true) then return true end
    for _, pattern in ipairs(NAMES) do
        if word:find(pattern) then return true end
    end
    return false
end

-- What may follow a name and belongs to it: arguments, an index, a launch, the parts of a template.
local SUFFIXES = { "^%b()()", "^%b[]()", "^<<<%S[^>]*>>>()", "^<%a+>()", "^::[%a_][%w_]*()" }

local function suffix_at(text, at)
    for _, pattern in ipairs(SUFFIXES) do
        local after = text:match(pattern, at)
        if after then return after end
    end
end

-- part = [ "(" type ")" ] name { suffix | "." name } | "[" ... "]" { suffix } | "<<<" ... ">>>". Returns the place after it, or nil where there is none.
local function part_at(text, at)
    local after = text:match("^%b[]()", at) or text:match("^<<<%S[^>]*>>>()", at) or text:match("^<<<()", at) or text:match("^>>>()", at)
    local cast = text:match("^%([%a_][%w_]*_[%w_]*%)()[%a_]", at)
    local word = text:match("^[%a_][%w_]*", cast or at)
    local is_code = after ~= nil
    if word then after, is_code = (cast or at) + #word, cast ~= nil or is_name(word) end
    while after do
        local member, next = text:match("^%.([%a_][%w_]*)()", after)
        local more = suffix_at(text, after) or (is_code or member and (member:find("_", 1, true) or text:sub(next, next) == "(")) and next
        if not more then break end
        after, is_code = more, true
    end
    return is_code and after or nil
end

-- code = part { operator operand } | operand operator code, as in "n * sizeof(float)".
local OPERATOR, OPERAND = "^ [*/+<%%-] ()", "^[%w_.]*[%w_]()"

local function code_at(text, at)
    local operand = text:match(OPERAND, at)
    local operator = operand and text:match(OPERATOR, operand)
    local right = operator and code_at(text, operator)
    if right then return right end
    local after = part_at(text, at)
    while after do
        operator = text:match(OPERATOR, after)
        local more = operator and (part_at(text, operator) or text:match(OPERAND, operator))
        if not more then break end
        after = more
    end
    return after
end

local function add_words(inlines, text)
    for space, word in text:gmatch("(%s*)(%S*)") do
        if space ~= "" then inlines:insert(pandoc.Space()) end
        if word ~= "" then inlines:insert(pandoc.Str((word:gsub("'", "’")))) end
    end
end

-- Sentences as what stands inside of a block.
function prose.inlines(text)
    local inlines, plain, at = pandoc.List(), 1, 1
    while at <= #text do
        local quoted, after = text:match("^`([^`]+)`()", at)
        if not quoted then after = not text:sub(1, at - 1):match("[%w_]$") and code_at(text, at) end
        if after then
            add_words(inlines, text:sub(plain, at - 1))
            inlines:insert(pandoc.Code(quoted or text:sub(at, after - 1)))
            plain = after
        end
        at = after or at + 1
    end
    add_words(inlines, text:sub(plain))
    return inlines
end

-- "wrong:" and its like begin a part of an explanation.
local HEADS = { wrong = "Wrong", right = "Right", slow = "Slow", fast = "Fast" }

local function head_of(line)
    local word, mark, rest = line:match("^(%l+)([:,])(.*)$")
    if not HEADS[word] then return nil end
    local inlines = pandoc.List({ pandoc.Strong({ pandoc.Str(HEADS[word]) }) })
    if rest ~= "" then add_words(inlines, mark) end
    inlines:extend(prose.inlines(rest))
    return inlines
end

-- The blocks of a text: paragraphs end at an empty line, at a head and at code.
function prose.blocks(lines)
    local blocks, sentences, code = pandoc.List(), {}, {}
    local function close()
        if #sentences > 0 then blocks:insert(pandoc.Para(prose.inlines(table.concat(sentences, " ")))) end
        if #code > 0 then blocks:insert(pandoc.CodeBlock(table.concat(code, "\n"), pandoc.Attr("", { "cuda" }))) end
        sentences, code = {}, {}
    end
    for _, line in ipairs(lines) do
        local statement, head = line:match("^    (.*)"), head_of(line)
        if line == "" or head or statement and #sentences > 0 or not statement and #code > 0 then close() end
        if statement then code[#code + 1] = statement
        elseif head then blocks:insert(pandoc.Para(head))
        elseif line ~= "" then sentences[#sentences + 1] = line end
    end
    close()
    return blocks
end

return prose
